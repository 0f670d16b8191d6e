import { MillraceError, type ProblemCode } from '../errors.ts'
import { didYouMean } from '../flows/closest-name.ts'
import type { StoredCollection } from '../store/collections.ts'

type Named = Pick<StoredCollection, 'name'>

/** Trying again would end in the same way. */
function refusal(code: ProblemCode, message: string): MillraceError {
  return Object.assign(new MillraceError(code, message), { retryable: false })
}

/** The same words whether there is none, or one that the caller may not know of. */
export function collectionNotFound(): MillraceError {
  return refusal(
    'collection_not_found',
    'There is no such collection, or the key does not see its context. GET /api/v1/collections lists those that it sees.'
  )
}

export function noneOfThatName(name: string, context: string, visible: readonly string[]): MillraceError {
  if (name === '')
    return refusal(
      'collection_not_found',
      'No collection is chosen. Name one in the node’s field "collection".'
    )
  const known = visible.length === 0 ? 'It sees none.' : `It sees ${visible.slice(0, 20).join(', ')}.`
  return refusal(
    'collection_not_found',
    `The context "${context}" sees no collection "${name.slice(0, 100)}". ${known}${didYouMean(name, visible)} Create it there or above, or name another.`
  )
}

export function collectionExists(name: string, context: string): MillraceError {
  return refusal(
    'collection_exists',
    `The context "${context}" has a collection "${name}" already. Choose another name, or use that one.`
  )
}

export function modelWithoutConnection(model: string): MillraceError {
  return refusal(
    'collection_invalid',
    `The model "${model}" needs a connection that leads to it. Name one of the kinds openai, google or openai-compatible, or leave out the model: then texts are found by their words.`
  )
}

export function wrongConnection(name: string, kind: string, kinds: readonly string[]): MillraceError {
  return refusal(
    'collection_invalid',
    `The connection "${name}" is of the kind ${kind}, which has no models for embeddings. Name one of the kinds ${kinds.join(', ')}.`
  )
}

export function noConnection(name: string, context: string, visible: readonly string[]): MillraceError {
  const known = visible.length === 0 ? 'It sees none.' : `It sees ${visible.slice(0, 20).join(', ')}.`
  return refusal(
    'connection_not_found',
    `The context "${context}" sees no connection "${name}". ${known}${didYouMean(name, visible)}`
  )
}

export function withoutModel({ name }: Named): MillraceError {
  return refusal(
    'collection_without_model',
    `The collection "${name}" has no model, so it is not searched by meaning. Give it a connection and a model, or search by Words.`
  )
}

export function collectionFull({ name }: Named, most: number): MillraceError {
  return refusal(
    'collection_full',
    `The collection "${name}" would hold more than ${most} pieces of texts, which is the most. Put texts into another collection, cut longer pieces, or remove what is not needed.`
  )
}

export function textInvalid(what: string): MillraceError {
  return refusal('knowledge_text_invalid', what)
}

export function questionInvalid(what: string): MillraceError {
  return refusal('knowledge_question_invalid', what)
}

export function textNotFound({ name }: Named, id: string): MillraceError {
  return refusal(
    'knowledge_text_not_found',
    `The collection "${name}" has no text "${id.slice(0, 100)}". GET /api/v1/collections/{id}/texts lists what it has.`
  )
}
