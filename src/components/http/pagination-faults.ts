import type { FieldFault } from '../../plugin-api.ts'
import { pauseFault } from './paginate.ts'

interface PaginationFields {
  readonly pagination: string
  readonly next: string
  readonly pause: string
}

/** What is wrong with how further pages are asked for: the same wherever an API is called. */
export function paginationFaults({ pagination, next, pause }: PaginationFields): FieldFault[] {
  const faults: FieldFault[] = []
  if (pagination === 'Cursor' && next.trim() === '') {
    const message = 'Say where an answer names the cursor of the next page, such as {body.next_cursor?}.'
    faults.push({ field: 'next', message })
  }
  const wrongPause = pauseFault(pause)
  if (wrongPause !== undefined) faults.push({ field: 'pause', message: wrongPause })
  return faults
}
