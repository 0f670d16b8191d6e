import { fileIdsIn } from '../../flows/file-ids.ts'
import { type Actor, canSee, coversContext, may } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { FileStore, StoredFile } from '../../store/files.ts'

export interface FileAccessDeps {
  readonly library: Pick<FlowLibrary, 'find'>
  readonly store: { readonly files: Pick<FileStore, 'get' | 'flowsOf'> }
}

/** Whoever may read the context that it came in by, or a run that names it. To know its id is not enough. */
export async function mayReadFile(
  actor: Actor,
  file: Pick<StoredFile, 'id' | 'context'>,
  { library, store }: FileAccessDeps
): Promise<boolean> {
  if (!may(actor, 'read')) return false
  if (coversContext(actor, file.context)) return true
  const flows = await store.files.flowsOf(file.id)
  return flows.some((id) => {
    const flow = library.find(id)
    return flow !== undefined && canSee(actor, flow)
  })
}

/**
 * Of the files that a payload names, those that its sender may give to a run: what the key may read, and what was uploaded by it. Any
 * other id is text like any other.
 */
export async function filesGivenBy(
  actor: Actor,
  payload: Uint8Array,
  deps: FileAccessDeps
): Promise<{ readonly uses?: readonly string[] }> {
  const uses: string[] = []
  for (const id of fileIdsIn(payload)) {
    const file = await deps.store.files.get(id)
    if (file === undefined) continue
    if (file.uploadedBy === actor.keyId || (await mayReadFile(actor, file, deps))) uses.push(id)
  }
  return uses.length === 0 ? {} : { uses }
}
