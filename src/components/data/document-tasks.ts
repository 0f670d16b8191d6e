import type { DocumentTask } from '../../plugin-api.ts'

/** What Convert has read in a process of its own, by its mode. */
const TASKS: Readonly<Record<string, DocumentTask>> = {
  'XML to data': { kind: 'xml' },
  'HTML to text': { kind: 'html-text' },
  'HTML to Markdown': { kind: 'html-markdown' },
  'Markdown to HTML': { kind: 'markdown-html' },
  'Feed to items': { kind: 'feed' }
}

export function taskOf(mode: string): DocumentTask | undefined {
  return TASKS[mode]
}
