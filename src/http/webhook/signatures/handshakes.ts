import type { JsonValue } from '../../../flows/json/exact-json.ts'
import type { Handshake } from '../../../flows/webhook-auth.ts'

/** What a sender asks before it sends: whether somebody is there who expects it. */
interface HandshakeQuestion {
  readonly method: string
  readonly query: URLSearchParams
  /** Read where the answer depends on it, which it does for Slack alone. */
  readonly payload: () => JsonValue
  /** Whether a text is the secret of the flow's sender, in constant time. */
  readonly isSecret: (text: string) => boolean
}

/** What is answered, as plain text. */
type HandshakeAnswer = { readonly text: string } | 'wrong secret' | undefined

/** Of all senders; whoever sends more wants something else than an answer. */
const LONGEST = 4_096

/** The answer to a sender's question; undefined where this is no question, and is to start a run. */
export function answerHandshake(handshake: Handshake, question: HandshakeQuestion): HandshakeAnswer {
  const answer = answerTo(handshake, question)
  return typeof answer === 'object' && answer.text.length > LONGEST ? undefined : answer
}

function answerTo(handshake: Handshake, question: HandshakeQuestion): HandshakeAnswer {
  switch (handshake) {
    case 'None':
      return undefined
    case 'Slack':
      return slack(question)
    case 'Meta':
      return meta(question)
    case 'Microsoft Graph':
      return graph(question)
  }
}

/** A POST, signed like every other. */
function slack({ method, payload }: HandshakeQuestion): HandshakeAnswer {
  const sent = method === 'POST' ? payload() : null
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined
  const { type, challenge } = sent as Record<string, JsonValue>
  return type === 'url_verification' && typeof challenge === 'string' ? { text: challenge } : undefined
}

/** A GET that proves itself by the secret. */
function meta({ method, query, isSecret }: HandshakeQuestion): HandshakeAnswer {
  const challenge = query.get('hub.challenge')
  if (method !== 'GET' || challenge === null) return undefined
  return isSecret(query.get('hub.verify_token') ?? '') ? { text: challenge } : 'wrong secret'
}

/** Any request with this in its query. It proves nothing, and learns nothing but what it said itself. */
function graph({ query }: HandshakeQuestion): HandshakeAnswer {
  const token = query.get('validationToken')
  return token === null ? undefined : { text: token }
}
