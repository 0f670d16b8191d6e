import { setTimeout as wait } from 'node:timers/promises'
import type { Static } from 'typebox'
import type { FiledFlow } from '../../../flow-files/folder.ts'
import type { Rehearsal } from '../../../http/flows/rehearsal-schema.ts'
import { CommandError } from '../../command-error.ts'
import { flowPath } from '../flows/flow-named.ts'
import type { Remote } from '../remote.ts'
import type { Plan } from './plan.ts'

type News = Static<typeof Rehearsal>

const ASK_EVERY_MS = 250

/** Runs what flows are to be on what started their last runs; ends the command where a run would fail that did not. */
export async function rehearseAll(
  plan: Plan,
  flows: readonly FiledFlow[],
  { force }: { readonly force: boolean },
  remote: Remote
): Promise<void> {
  const { screen } = remote
  const failing: string[] = []
  for (const { slug, id, action } of plan.flows) {
    const document = flows.find((flow) => flow.slug === slug)
    if (action !== 'change' || id === null || document === undefined) continue
    const news = await rehearse(id, document, remote)
    screen.note(`Rehearsed ${slug}: ${wordsOf(news)}.`)
    const [failed] = news.cases.filter(({ verdict }) => verdict === 'failed')
    if (failed !== undefined) failing.push(`${slug}: ${failed.error?.message ?? 'a run would fail'}`)
  }
  if (failing.length === 0 || force) return
  throw new CommandError(
    [
      ...failing,
      'Nothing was changed, since runs would fail that did not. --force pushes all the same.'
    ].join('\n')
  )
}

async function rehearse(id: string, document: FiledFlow, { api, outside }: Remote): Promise<News> {
  const path = flowPath(id, '/draft/rehearsal')
  let news = await api.call<News>(path, { method: 'POST', body: { document } })
  while (news.status === 'in progress') {
    await wait(ASK_EVERY_MS, undefined, { signal: outside.signal })
    news = await api.call<News>(path)
  }
  return news
}

function wordsOf({ runs, same, different, failed, unknown }: News): string {
  if (runs === 0) return 'it has not run yet'
  const parts = Object.entries({ same, different, failed, unknown }).filter(([, count]) => count > 0)
  return parts.map(([verdict, count]) => `${count} ${verdict}`).join(', ')
}
