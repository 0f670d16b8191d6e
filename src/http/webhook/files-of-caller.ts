import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../keys/rights.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { NamedFiles } from '../../store/files.ts'
import type { Callers } from '../access/callers.ts'
import { type FileAccessDeps, filesGivenBy } from '../files/file-access.ts'
import { askedOfCaller } from './admission.ts'

interface FilesOfCallerDeps extends FileAccessDeps {
  readonly callers: Callers
}

/** Files that the payload names, of a caller that shows a key. Whoever shows none gives nothing by an id. */
export async function filesOfCaller(
  request: FastifyRequest,
  flow: LiveFlow,
  input: Uint8Array,
  deps: FilesOfCallerDeps
): Promise<NamedFiles> {
  const actor = keyHolder(request, flow, deps.callers)
  return actor === undefined ? {} : filesGivenBy(actor, input, deps)
}

function keyHolder(request: FastifyRequest, flow: LiveFlow, callers: Callers): Actor | undefined {
  const asked = askedOfCaller(flow)
  if (asked === 'key') return callers.identify(request)
  return asked === 'nothing' ? callers.holderOf(request) : undefined
}
