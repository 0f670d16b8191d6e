import { compileDoc } from '../build/compile-doc.ts'
import type { ComponentFacts } from '../src/api/components.ts'
import { CHAPTERS, REFERENCE } from '../src/help/contents.ts'
import type { HelpSection } from '../src/help/find-help.ts'
import { apiList, apiPage } from '../src/help/reference/api-reference.ts'
import { componentList, componentPage } from '../src/help/reference/component-reference.ts'
import { errorReference } from '../src/help/reference/error-reference.ts'
import { Html, html, type Reference } from '../src/help/reference/html.ts'
import { type ApiDescription, operationsOf } from '../src/help/reference/openapi-document.ts'
import {
  apiSections,
  componentSections,
  errorSections,
  referenceSections
} from '../src/help/reference-index.ts'

/** What the site is made of: the documents by their names, and what the service tells of itself. */
export interface SiteSources {
  readonly docs: ReadonlyMap<string, string>
  readonly components: readonly ComponentFacts[]
  readonly api: ApiDescription
}

export interface SitePage {
  /** From the folder of the site, without its ending: `components/parser`. */
  readonly place: string
  readonly text: string
}

export interface Site {
  readonly pages: readonly SitePage[]
  readonly sections: readonly HelpSection[]
  /** Below docs/. */
  readonly pictures: readonly string[]
}

const DOCUMENT = /^([\w-]+)\.md(#.*)?$/

/** Every page of the site. Links are relative, so that it can be read from a folder or put below any address. */
export function sitePages({ docs, components, api }: SiteSources): Site {
  const pictures = new Set<string>()
  const compiled = new Map([...docs].map(([name, text]) => [name, compileDoc(text, placeOf(name, pictures))]))
  const titles = new Map([...compiled].map(([name, { title }]) => [name, title]))
  const page = (place: string, reference: Reference): SitePage => ({
    place,
    text: framed(place, reference, titles)
  })
  const operations = operationsOf(api).map(({ operation }) => operation.operationId)
  return {
    pages: [
      page('index', home(titles)),
      ...[...compiled].map(([name, doc]) => page(name, doc)),
      page('components', componentList(components, linksFrom('components'))),
      ...components.map((component) => {
        const place = `components/${component.type}`
        return page(place, componentPage(component, linksFrom(place)))
      }),
      page('api', apiList(api, linksFrom('api'))),
      ...operations.map((id) => page(`api/${id}`, apiPage(api, id, linksFrom(`api/${id}`))!)),
      page('errors', errorReference(linksFrom('errors')))
    ],
    sections: [
      ...[...compiled].flatMap(([name, { title, sections }]) =>
        sections.map(({ id, ...section }) => ({ ...section, title, to: id === '' ? name : `${name}#${id}` }))
      ),
      ...referenceSections(),
      ...componentSections(components),
      ...errorSections(),
      ...apiSections(api)
    ],
    pictures: [...pictures]
  }
}

function placeOf(name: string, pictures: Set<string>) {
  return {
    linkTo: (target: string) => {
      if (target.startsWith('#')) return target
      const [, other, anchor = ''] = DOCUMENT.exec(target) ?? []
      return other === undefined ? undefined : linksFrom(name)(other + anchor)
    },
    picture: (path: string) => {
      pictures.add(path)
      return path
    }
  }
}

/** `parser` from `components/for-each` is `../parser.html`. */
function linksFrom(place: string): (to: string) => string {
  const up = place.includes('/') ? '../' : ''
  return (to) => {
    const [path, anchor] = to.split('#') as [string, string?]
    return `${up}${path}.html${anchor === undefined ? '' : `#${anchor}`}`
  }
}

function home(titles: ReadonlyMap<string, string>): Reference {
  const link = linksFrom('index')
  const chapters = CHAPTERS.map(
    ({ title, pages }) =>
      html`<section><h2>${title}</h2><ul>${pages.map((one) => html`<li><a href="${link(one)}">${titles.get(one)}</a></li>`)}</ul></section>`
  )
  const references = REFERENCE.map(({ page, title }) => html`<li><a href="${link(page)}">${title}</a></li>`)
  return {
    title: 'Millrace',
    html: html`<h1>Millrace</h1><p>Hosts flows and starts them by webhook: nothing accepted is ever lost.</p><div class="chapters">${chapters}<section><h2>Reference</h2><ul>${references}</ul></section></div>`
      .text,
    headings: []
  }
}

/** A whole document of HTML. */
function framed(place: string, reference: Reference, titles: ReadonlyMap<string, string>): string {
  const link = linksFrom(place)
  const up = place.includes('/') ? '../' : ''
  const title = place === 'index' ? 'Millrace' : `${reference.title} · Millrace`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${up}site.css">
<script src="${up}theme.js"></script>
<script src="${up}sections.js" defer></script>
<script src="${up}site.js" defer></script>
</head>
<body data-root="${up}">
<header class="top"><a class="name" href="${link('index')}">Millrace</a><input type="search" id="search" placeholder="Search" aria-label="Search the help" autocomplete="off"><button type="button" id="theme">Light or dark</button></header>
<div class="room">
<aside class="side"><details class="contents" open><summary>Contents</summary>${contents(place, titles)}</details></aside>
<main class="article"><div id="found" aria-live="polite"></div><div id="page">${new Html(reference.html)}</div></main>
${parts(reference)}
</div>
</body>
</html>
`.text
}

function contents(place: string, titles: ReadonlyMap<string, string>): Html {
  const link = linksFrom(place)
  const item = (page: string, title: string) => {
    const isHere = page === place.split('/')[0]
    return html`<li><a href="${link(page)}"${new Html(isHere ? ' aria-current="page"' : '')}>${title}</a></li>`
  }
  const chapters = CHAPTERS.map(
    ({ title, pages }) =>
      html`<h2>${title}</h2><ul>${pages.map((one) => item(one, titles.get(one) ?? one))}</ul>`
  )
  const references = REFERENCE.map(({ page, title }) => item(page, title))
  return html`<nav aria-label="Help">${chapters}<h2>Reference</h2><ul>${references}</ul></nav>`
}

function parts({ headings }: Reference): Html {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 3) return html``
  const items = shown.map(
    ({ id, text, level }) => html`<li data-level="${level}"><a href="#${id}">${text}</a></li>`
  )
  return html`<nav class="parts" aria-label="On this page"><h2>On this page</h2><ul>${items}</ul></nav>`
}
