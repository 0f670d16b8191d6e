import type { ComponentFacts } from '../api/components.ts'
import { REFERENCE } from './contents.ts'
import type { HelpSection } from './find-help.ts'
import { explanationsOf } from './reference/error-reference.ts'
import { type ApiDescription, operationsOf, toldOnce } from './reference/openapi-document.ts'

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
  const told = toldOnce(operationsOf(api)).map(([first]) => first!)
  return told.map(({ method, path, operation }) => ({
    to: `api/${operation.operationId}`,
    title: 'API',
    heading: operation.summary,
    beginning: `${method} ${path}`,
    words: wordsOf(`${method} ${path} ${operation.operationId} ${operation.description ?? ''}`)
  }))
}

/** The references as wholes: who asks for one of them does not look for what is in it. */
export function referenceSections(): HelpSection[] {
  return REFERENCE.map(({ page, title, about }) => ({
    to: page,
    title: 'Reference',
    heading: title,
    beginning: about,
    words: wordsOf(`reference ${page} ${about}`)
  }))
}

function wordsOf(text: string): string {
  return [...new Set(text.toLowerCase().match(WORD) ?? [])].join(' ')
}
