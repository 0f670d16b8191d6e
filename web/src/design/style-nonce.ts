/** The nonce of this answer, without which the policy of the page refuses every style that a library writes. */
export function styleNonce(): string {
  return document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? ''
}
