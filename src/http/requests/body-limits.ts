import type { FastifyInstance } from 'fastify'

/** A key, with room for what a form puts around it. */
export const SIGN_IN_BODY = 4 * 1024

/** For whatever says nothing else: names, choices, or nothing at all. */
const SMALL_BODY = 16 * 1024

/** Variables of a context. */
export const CONTEXT_BODY = 1024 * 1024

/** Connections, with certificates and keys. */
export const CONNECTION_BODY = 256 * 1024

/** Documents of APIs: GitHub's has 13 MB. */
export const API_DOCUMENT_BODY = 32 * 1024 * 1024

/** Outputs to be pinned, which may be indented: see LARGEST_PIN. */
export const PIN_BODY = 1024 * 1024

/** A value to be kept, which may be indented: see LARGEST_VALUE. */
export const KEPT_BODY = 1024 * 1024

/** Conversations as clients of language models send them: all that was said, with pictures. */
export const CHAT_BODY = 10 * 1024 * 1024

/** A text for a collection, or a question to one. */
export const KNOWLEDGE_BODY = 2 * 1024 * 1024

/** A document whose text goes into a collection: as much as steps read at once. */
export const DOCUMENT_OF_COLLECTION_BODY = 25 * 1024 * 1024

/** Prices of a thousand models. */
export const PRICES_BODY = 256 * 1024

/** Flow documents, and parts of them. */
export const DOCUMENT_BODY = 10 * 1024 * 1024

/** Flows by the hundred. */
export const PUSH_BODY = 25 * 1024 * 1024

/** Files of other tools, and archives of them. */
export const IMPORT_BODY = 25 * 1024 * 1024

export function bytesInWords(bytes: number): string {
  const kilobytes = bytes / 1024
  const size = kilobytes < 1024 ? `${Math.floor(kilobytes)} kB` : `${Math.floor(kilobytes / 1024)} MB`
  return `${size} (${bytes} bytes)`
}

/**
 * For payloads of runs that no webhook starts: what a webhook took fits, with what is put around it. No more, since it is read in
 * one turn: 10 MB of `{},` held the thread for 4 s, and were sent with no right but `trigger`.
 */
export function payloadBody(webhookLimit: number): number {
  return webhookLimit + SMALL_BODY
}

/** A route that takes more than a small body says so. */
export function limitBodies(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= SMALL_BODY
  })
}
