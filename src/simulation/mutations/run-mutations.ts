import { spawn } from 'node:child_process'
import { CopiedCode } from './apply-mutation.ts'
import { MUTATIONS, type Mutation } from './mutations.ts'

export interface MutationOptions {
  readonly below: string | undefined
  readonly say: (text: string) => void
  /** So many seeds each mutation is looked for with. */
  readonly seeds: number
  /** For so long at the most. */
  readonly ms: number
}

/** Of the twenty, so many have to be found. */
const ENOUGH = 18

/** Puts one small fault after the other into a copy of the code, and looks whether the simulation finds it. */
export async function runMutations({ below, say, seeds, ms }: MutationOptions): Promise<boolean> {
  const code = new CopiedCode(below)
  try {
    for (const mutation of MUTATIONS) code.apply(mutation)()
    // Seeds that break a rule as it is, for faults that are not mended yet, would tell nothing.
    const sound = (
      await playSeeds(
        code,
        Array.from({ length: seeds }, (_, at) => at + 1),
        ms * 4,
        'all'
      )
    )
      .filter(({ rule }) => rule === null)
      .map(({ seed }) => seed)
    say(`${sound.length} of ${seeds} seeds break no rule as it is.`)
    let found = 0
    for (const mutation of MUTATIONS) if (await isFound(mutation, code, sound, { ms, say })) found++
    say(`${found} of ${MUTATIONS.length} were found; ${ENOUGH} are to be.`)
    return found >= ENOUGH
  } finally {
    code.remove()
  }
}

async function isFound(
  mutation: Mutation,
  code: CopiedCode,
  seeds: readonly number[],
  { ms, say }: Pick<MutationOptions, 'ms' | 'say'>
): Promise<boolean> {
  const takeBack = code.apply(mutation)
  try {
    const played = await playSeeds(code, seeds, ms, 'until one breaks a rule')
    const broken = played.find(({ rule }) => rule !== null)
    const how =
      broken === undefined ? `missed by ${played.length} seeds` : `seed ${broken.seed}: ${broken.rule}`
    say(`${broken === undefined ? '✖' : '✔'} ${mutation.name}: ${how}`)
    return broken !== undefined
  } finally {
    takeBack()
  }
}

interface Played {
  readonly seed: number
  readonly rule: string | null
}

function playSeeds(
  code: CopiedCode,
  seeds: readonly number[],
  ms: number,
  until: 'all' | 'until one breaks a rule'
): Promise<Played[]> {
  const args = [code.cli, '--list', seeds.join(','), ...(until === 'all' ? ['--all'] : [])]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { timeout: ms, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (part) => {
      text += part
    })
    child.on('error', reject)
    child.on('close', () => {
      const lines = text.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
      resolve(lines.map((line) => JSON.parse(line) as Played))
    })
  })
}
