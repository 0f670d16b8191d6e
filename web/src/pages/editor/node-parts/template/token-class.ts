import type { TokenKind } from '../../../../editor/template/template-tokens.ts'

/** The class that colours a token, in the editor and outside of it. */
export function tokenClass(kind: TokenKind): string {
  return `token-${kind.replace(' ', '-')}`
}
