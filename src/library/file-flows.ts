import { MillraceError } from '../errors.ts'
import type { StoredFlow } from '../store/store.ts'

type Made = Pick<StoredFlow, 'origin'> & { readonly slug: string }

/** Where no folder is followed, a flow that came from one is like any other. */
export function withoutFile(stored: StoredFlow): StoredFlow {
  return stored.origin === 'file' ? { ...stored, origin: 'saved' } : stored
}

export function isOfFile({ origin }: Made): boolean {
  return origin === 'file'
}

/** What is changed anywhere else would be gone with the next change of the file. */
export function assertNotOfFile(flow: Made): void {
  if (isOfFile(flow)) throw new MillraceError('flow_from_file', ofFile(flow.slug))
}

export function ofFile(slug: string): string {
  return `The flow "${slug}" comes from a file of the folder that this service follows (MILLRACE_FLOWS), and is read-only everywhere else. Change the file.`
}
