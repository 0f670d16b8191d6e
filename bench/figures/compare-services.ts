import { loadToTheEnd } from '../load.ts'
import { quietRounds } from '../quiet.ts'
import type { Service } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench } from './group.ts'

export interface Contest {
  readonly target: Target
  /** What lines on the way begin with. */
  readonly key: string
  readonly names: readonly [challenger: string, reference: string]
  readonly challenger: Service
  readonly reference: Service
  /** Of these all that is below them is measured too. */
  readonly trees?: readonly number[]
}

interface Round {
  readonly challenger: number
  readonly reference: number
}

/** The accept rate of one service against that of another, loaded in alternation in one run. */
export async function compareServices(contest: Contest, { options, say }: Bench): Promise<Figure> {
  const { challenger, reference, names, key, target, trees = [] } = contest
  await playRound(contest, Math.min(options.seconds, 3), true)
  const rounds = await quietRounds({
    rounds: options.rounds,
    pids: [challenger.child.pid!, reference.child.pid!],
    trees,
    play: (index) => playRound(contest, options.seconds, index % 2 === 0),
    onRound: (round, index, isQuiet) => {
      const rates = `${names[0]} ${Math.round(round.challenger)}/s, ${names[1]} ${Math.round(round.reference)}/s`
      say(`${key}: round ${index + 1}: ${rates}${isQuiet ? '' : '; other work was going on'}`)
    }
  })
  await Promise.all([challenger.stop(), reference.stop()])
  const of = (which: keyof Round) =>
    Math.round(median(rounds.map((round) => round[which]))).toLocaleString('en')
  const detail = `${of('challenger')} ÷ ${of('reference')} requests/s, runs executed meanwhile`
  const measured = median(rounds.map((round) => round.challenger / round.reference))
  return { ...target, measured, detail }
}

async function playRound(contest: Contest, seconds: number, isChallengerFirst: boolean): Promise<Round> {
  const round = { challenger: 0, reference: 0 }
  const order = isChallengerFirst
    ? (['challenger', 'reference'] as const)
    : (['reference', 'challenger'] as const)
  for (const which of order) round[which] = (await loadToTheEnd(contest[which], { seconds })).perSecond
  return round
}
