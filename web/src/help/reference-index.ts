import type { ComponentFacts } from '../api/components.ts'
import type { HelpSection } from './find-help.ts'
import { explanationsOf } from './reference/error-reference.ts'
import { type ApiDescription, operationsOf } from './reference/openapi-document.ts'

const WORD = /[\p{L}\p{N}_]+/gu

export function componentSections(components: readonly ComponentFacts[]): HelpSection[] {
  return components.map(({ type, title, description, keywords, fields }) => ({
    to: `components/${encodeURIComponent(type)}`,
    title: 'Components',
    heading: title,
    beginning: description,
    words: wordsOf([type, description, ...keywords, ...Object.keys(fields)].join(' '))
  }))
}

export function errorSections(): HelpSection[] {
  return explanationsOf().map(({ code, help }) => ({
    to: `errors#${code}`,
    title: 'Errors',
    heading: code,
    beginning: help.replaceAll('`', ''),
    words: wordsOf(`${code.replaceAll('_', ' ')} ${help}`)
  }))
}

export function apiSections(api: ApiDescription): HelpSection[] {
  return operationsOf(api).map(({ method, path, operation }) => ({
    to: `api/${operation.operationId}`,
    title: 'API',
    heading: operation.summary,
    beginning: `${method} ${path}`,
    words: wordsOf(`${method} ${path} ${operation.operationId} ${operation.description ?? ''}`)
  }))
}

function wordsOf(text: string): string {
  return [...new Set(text.toLowerCase().match(WORD) ?? [])].join(' ')
}
