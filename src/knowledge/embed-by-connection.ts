import { embedTexts } from '../components/language-model/embed-texts.ts'
import { EMBEDDING_KINDS } from '../components/language-model/model-kinds.ts'
import type { ConnectionOpener } from '../connections/connection-opener.ts'
import type { StoredCollection } from '../store/collections.ts'
import type { Embed } from './knowledge.ts'

type OpenedFor = Parameters<ConnectionOpener['openByName']>[2]

/**
 * How texts of this collection are given their meaning: by its connection, as the context means it in which the collection lives.
 * Undefined where it has no model.
 */
export function embedByConnection(
  opener: Pick<ConnectionOpener, 'openByName'>,
  { context, connection: name, model }: StoredCollection,
  opened: OpenedFor
): Embed | undefined {
  if (model === null || name === null) return undefined
  const connection = opener.openByName(context, { name, kinds: EMBEDDING_KINDS }, opened)
  const { signal } = opened
  return (texts, areQuestions) => embedTexts(connection, { model, texts, areQuestions, signal })
}
