import type { Check } from '../../../api/expectations.ts'
import { counted } from '../../../design/counted.ts'

/** "3 expectations: 2 are met, 1 is not" */
export function checkInWords({ met, failing, unknown, expectations }: Check): string {
  const parts = [
    met > 0 && `${met} ${met === 1 ? 'is' : 'are'} met`,
    failing > 0 && `${failing} ${failing === 1 ? 'is' : 'are'} not`,
    unknown > 0 && `${unknown} cannot be known`
  ]
  return `${counted(expectations.length, 'expectation')}: ${parts.filter((part) => part !== false).join(', ')}`
}
