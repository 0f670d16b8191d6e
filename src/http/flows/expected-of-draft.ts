import type { FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { soundDocument } from '../../library/judge-flow.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Expectations, Met } from '../../runs/rehearsal/expectations.ts'
import { mayRead } from '../access/access.ts'
import { knownTo } from './flow-access.ts'

interface ExpectedDeps {
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly expectations: Expectations
}

/**
 * Refuses a draft that does not do what is expected of the flow. Resolves to the revision that was held against it: that one is to be
 * published, and no other; undefined where nothing is expected.
 */
export async function assertExpected(
  request: FastifyRequest,
  flow: LiveFlow,
  { library, drafts, expectations }: ExpectedDeps
): Promise<number | undefined> {
  if (!(await expectations.isAnything(flow.id))) return undefined
  const { revision, document: edited } = await drafts.get(flow)
  const document = soundDocument(await library.check(edited, knownTo(request, library)))
  const met = await expectations.check({ id: flow.id, version: flow.version, document })
  const failing = met.filter(({ verdict }) => verdict === 'different' || verdict === 'failed')
  if (failing.length > 0) throw failed(failing, mayRead(request))
  return revision
}

function failed(failing: readonly Met[], isTold: boolean): MillraceError {
  const expected = failing.length === 1 ? 'One thing' : `${failing.length} things`
  const message = `${expected} that is expected of the flow would come out another way. Change the draft, remove the expectation, or publish all the same with "accept_failing": true.`
  return new MillraceError('expectations_failed', message, isTold ? { errors: failing.map(faultOf) } : {})
}

function faultOf({ expectation: { name }, node, verdict, error }: Met) {
  const where = node === null ? '' : ` at the node "${node}"`
  const what =
    verdict === 'failed' ? `fails${where}: ${error?.message ?? ''}` : `comes to something else${where}`
  return { code: 'expectation_failed', path: '', message: `"${name}" ${what}` }
}
