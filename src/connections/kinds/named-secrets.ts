// Also for the page, which asks for a secret as soon as somebody names it.

type Settings = Readonly<Record<string, unknown>>

/** `{{` and `}}` are braces; any other brace is one half of a placeholder. */
const PIECE = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g

const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Names of secrets that the address, the headers and the parameters of a connection hold as `{name}`, each once. */
export function namedSecrets({ base_url, headers, query }: Settings): string[] {
  const texts = [base_url, ...valuesOf(headers), ...valuesOf(query)]
  return [...new Set(texts.flatMap((text) => (typeof text === 'string' ? namesIn(text) : [])))]
}

/** What is wrong with the braces of a text; undefined where nothing is. */
export function placeholderFault(text: string): string | undefined {
  for (const [piece, name] of text.matchAll(PIECE)) {
    if (piece === '{{' || piece === '}}') continue
    if (name === undefined) return `holds a single "${piece}". Write "${piece}${piece}" for a brace.`
    if (!isSecretName(name)) {
      return `holds "${piece.slice(0, 80)}". In braces stands the name of a secret: letters, digits, _ and -.`
    }
  }
  return undefined
}

/** The text with what its placeholders stand for. */
export function withSecrets(
  text: string,
  secrets: Readonly<Record<string, string>>,
  encode: (secret: string) => string = (secret) => secret
): string {
  return text.replace(PIECE, (piece, name: string | undefined) => {
    if (name === undefined) return piece.slice(0, 1)
    return Object.hasOwn(secrets, name) ? encode(secrets[name]!) : ''
  })
}

function namesIn(text: string): string[] {
  return [...text.matchAll(PIECE)].flatMap(([, name]) =>
    name !== undefined && isSecretName(name) ? [name] : []
  )
}

function valuesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}
