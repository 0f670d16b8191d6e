import type { ProblemCode } from '../../../../src/errors.ts'
import { problems } from '../../../../src/problems.ts'
import { FLOW_FAULTS } from './flow-fault-help.ts'
import type { LinkTo } from './help-links.ts'
import { type Html, html, type Reference, sentence } from './html.ts'
import { REFUSAL_HELP } from './refusal-help.ts'
import { STEP_ERRORS } from './step-error-help.ts'

/** Every code that somebody can meet, with what it means and what to do. */
export function errorReference(linkTo: LinkTo): Reference {
  const parts: Part[] = [
    {
      id: 'refusals',
      title: 'Refusals of the API',
      body: html`<p>A refusal is a problem document (RFC 9457). Branch on its <code>code</code>, which never changes; read its <code>detail</code>.</p><dl>${refusals()}</dl>`
    },
    {
      id: 'flow-faults',
      title: 'Faults of a flow',
      body: html`<p>They stand in <code>errors</code> and <code>warnings</code> of a draft, by node and field.</p><dl>${entries(FLOW_FAULTS)}</dl>`
    },
    ...STEP_ERRORS.map(
      ({ title, page, errors }): Part => ({
        id: `steps-${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
        title: `Steps: ${inSentence(title)}`,
        body: html`<p><a href="${linkTo(page)}">More about it</a></p><dl>${entries(errors)}</dl>`
      })
    )
  ]
  return {
    title: 'Errors',
    html: html`<h1>Errors</h1><p>Each error has a code and a message that says what to do. Here is what the codes mean. Plugins bring codes of their own.</p>${parts.map(
      ({ id, title, body }) => html`<h2 id="${id}" tabindex="-1">${title}</h2>${body}`
    )}`.text,
    headings: parts.map(({ id, title }) => ({ id, text: title, level: 2 }))
  }
}

/** "Any step" goes on in small letters after the colon; SQL and API stay what they are. */
function inSentence(title: string): string {
  return /^\p{Lu}{2}/u.test(title) ? title : `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`
}

interface Part {
  readonly id: string
  readonly title: string
  readonly body: Html
}

function refusals(): Html[] {
  return (Object.keys(problems) as ProblemCode[]).map((code) => {
    const { title, status } = problems[code]
    return html`<dt id="${code}" tabindex="-1"><code>${code}</code> <span class="badge">${status}</span></dt><dd><strong>${title}.</strong> ${sentence(REFUSAL_HELP[code])}</dd>`
  })
}

/** Some codes are also those of refusals, which have the anchor then. */
function entries(errors: Readonly<Record<string, string>>): Html[] {
  return Object.entries(errors).map(([code, help]) => {
    const id = anchorOf(code)
    return html`<dt${id === undefined ? undefined : html` id="${id}" tabindex="-1"`}><code>${code}</code></dt><dd>${sentence(help)}</dd>`
  })
}

function anchorOf(code: string): string | undefined {
  return Object.hasOwn(problems, code) ? undefined : code
}

const OF_STEPS: ReadonlySet<string> = new Set(STEP_ERRORS.flatMap(({ errors }) => Object.keys(errors)))

/** Whether the page of errors has something to say of a code. */
export function isExplained(code: string): boolean {
  return Object.hasOwn(problems, code) || OF_STEPS.has(code) || Object.hasOwn(FLOW_FAULTS, code)
}

export function explanationsOf(): readonly { readonly code: string; readonly help: string }[] {
  const all = {
    ...FLOW_FAULTS,
    ...Object.assign({}, ...STEP_ERRORS.map(({ errors }) => errors)),
    ...REFUSAL_HELP
  }
  return Object.entries(all as Record<string, string>).map(([code, help]) => ({ code, help }))
}
