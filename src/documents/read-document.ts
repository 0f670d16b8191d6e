import type { JsonValue } from '../flows/json/exact-json.ts'
import type {
  DocumentFault,
  DocumentResult,
  DocumentTask,
  GivenDocument
} from '../flows/step/step-documents.ts'
import { decodeText } from './decode-text.ts'
import { BadDocument, brokenDocument } from './document-fault.ts'

/** What comes of one document, in the process that reads them. What reads it is loaded when the first of its kind comes. */
export async function readDocument(task: DocumentTask, document: GivenDocument): Promise<DocumentResult> {
  try {
    return { value: await readValue(task, document) }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

function faultOf(error: unknown): DocumentFault {
  const { code, message } = error instanceof BadDocument ? error : brokenDocument('a document', error)
  return { code, message }
}

async function readValue(task: DocumentTask, document: GivenDocument): Promise<JsonValue> {
  switch (task.kind) {
    case 'extract':
      return (await import('./extract.ts')).extract(task, document)
    case 'select':
      return (await import('./web/select-values.ts')).selectValues(textOf(document), task)
    case 'xml':
      return (await import('./web/xml-data.ts')).xmlData(textOf(document))
    case 'feed':
      return (await import('./web/feed-items.ts')).feedItems(textOf(document))
    case 'html-text':
      return (await import('./web/html-text.ts')).htmlText(textOf(document))
    case 'html-markdown':
      return (await import('./web/html-markdown.ts')).htmlMarkdown(textOf(document))
    case 'markdown-html':
      return (await import('./web/markdown-html.ts')).markdownHtml(textOf(document))
  }
}

function textOf({ bytes, contentType }: GivenDocument): string {
  return decodeText(bytes, contentType)
}
