import type { Field } from '../../../../src/flows/component/component.ts'
import type { Ports } from '../../../../src/flows/component/ports.ts'
import { writeJson } from '../../../../src/flows/json/exact-json.ts'
import type { ComponentFacts } from '../../api/components.ts'
import { guideOf, type LinkTo } from './help-links.ts'
import { code, type Html, html, type Reference, sentence, table } from './html.ts'

/** All components of a catalogue, by their places in the palette. */
export function componentList(components: readonly ComponentFacts[], linkTo: LinkTo): Reference {
  const groups = [...Map.groupBy(components, ({ category }) => category)]
  const idOf = (category: string) => `category-${category.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
  const body = groups.map(
    ([category, members]) => html`<h2 id="${idOf(category)}" tabindex="-1">${category}</h2>
${table(
  ['Component', 'Type', 'What it does'],
  members.map(({ type, title, description }) => [
    html`<a href="${linkTo(`components/${encodeURIComponent(type)}`)}">${title}</a>`,
    html`<code>${type}</code>`,
    sentence(description)
  ])
)}`
  )
  return {
    title: 'Components',
    html: html`<h1>Components</h1><p>What a node can be. This is made from the components themselves, those of plugins included.</p>${body}`
      .text,
    headings: groups.map(([category]) => ({ id: idOf(category), text: category, level: 2 }))
  }
}

/** One component, as it says of itself. */
export function componentPage(component: ComponentFacts, linkTo: LinkTo): Reference {
  const { type, title, description, example, fields, inputs, outputs, region } = component
  const parts = [
    part('fields', 'Fields', fieldTable(fields)),
    part('inputs', 'Inputs', html`${portTable(inputs)}${moreInputs(component)}`),
    part('outputs', 'Outputs', html`${portTable(outputs)}${moreOutputs(component)}`),
    region === null
      ? undefined
      : part('inside', 'Inside of it', html`${portTable(region.outputs)}${portTable(region.inputs)}`),
    part('json', 'As JSON', code(nodeText(component)))
  ].filter((one) => one !== undefined && one.body.text !== '') as Part[]
  const guide = guideOf(component)
  const head = html`<h1>${title}</h1>
<p class="quiet">${factsOf(component)}</p>
<p>${sentence(description)}</p>
${example === null ? undefined : html`<p><strong>Example.</strong> ${sentence(example)}</p>`}
${guide === undefined ? undefined : html`<p><a href="${linkTo(guide)}">Read more about it in the guide</a></p>`}`
  const body = parts.map((one) => html`<h2 id="${one.id}" tabindex="-1">${one.title}</h2>${one.body}`)
  return {
    title,
    html: html`${head}${body}<p class="quiet">Type <code>${type}</code></p>`.text,
    headings: parts.map((one) => ({ id: one.id, text: one.title, level: 2 }))
  }
}

interface Part {
  readonly id: string
  readonly title: string
  readonly body: Html
}

function part(id: string, title: string, body: Html): Part {
  return { id, title, body }
}

function factsOf({ category, effects, trigger, owner, context }: ComponentFacts): string {
  const does = trigger === null ? (effects === 'pure' ? 'computes' : 'acts') : 'starts runs'
  const from = owner === 'millrace' ? '' : ` · from the plugin ${owner}, in ${context}`
  return `${category} · ${does}${from}`
}

function fieldTable(fields: ComponentFacts['fields']): Html {
  return table(
    ['Field', 'What it is for', 'Value', 'Default'],
    Object.entries(fields).map(([name, field]) => [
      html`${field.title}<br><code>${name}</code>`,
      sentence(field.help ?? ''),
      valueKind(field),
      defaultOf(field)
    ])
  )
}

function valueKind(field: Field): Html {
  switch (field.kind) {
    case 'choice':
      return listed(field.choices)
    case 'connection':
      return html`connection of the kind ${listed(field.kinds)}${field.optional === true ? ', optional' : ''}`
    case 'list':
      return field.choices === undefined ? html`list of texts` : html`list of ${listed(field.choices)}`
    case 'rows':
      return html`list of objects with ${listed(Object.keys(field.columns))}`
    case 'number':
      return html`${field.integer === true ? 'whole number' : 'number'}${boundsOf(field)}`
    case 'boolean':
      return html`true or false`
    case 'json':
      return html`JSON`
    default:
      return html`${field.kind}`
  }
}

function listed(values: readonly string[]): Html {
  return html`${values.map((value, at) => html`${at === 0 ? '' : ', '}<code>${value}</code>`)}`
}

function boundsOf({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (min !== undefined && max !== undefined) return `, ${min} to ${max}`
  if (min !== undefined) return `, at least ${min}`
  return max === undefined ? '' : `, at most ${max}`
}

function defaultOf({ default: value }: Field): Html {
  const isNone = value === undefined || value === '' || value === null
  return isNone ? html`` : html`<code>${writeJson(value)}</code>`
}

function portTable(ports: Ports): Html {
  return table(
    ['Port', 'Type', 'What it is'],
    Object.entries(ports).map(([name, { title, type, help }]) => [
      html`${title}<br><code>${name}</code>`,
      type,
      sentence(help ?? '')
    ])
  )
}

function moreInputs({ inputs_from_template, inputs_from_count }: ComponentFacts): Html | undefined {
  if (inputs_from_template !== null)
    return html`<p>Each variable of the template in <code>${inputs_from_template}</code> is an input too.</p>`
  if (inputs_from_count === null) return undefined
  return html`<p>As many inputs as <code>${inputs_from_count}</code> says: <code>in_1</code>, <code>in_2</code> and so on.</p>`
}

function moreOutputs({ outputs_from_list }: ComponentFacts): Html | undefined {
  if (outputs_from_list === null) return undefined
  return html`<p>Each text of the list in <code>${outputs_from_list}</code> is an output too.</p>`
}

/** A node with its defaults, as a document holds it. */
function nodeText({ type, fields }: ComponentFacts): string {
  const shown = Object.entries(fields).filter(([, field]) => field.hidden !== true && field.readonly !== true)
  const values = shown.map(([name, field]) => `    ${writeJson(name)}: ${writeJson(field.default ?? null)}`)
  const inside = values.length === 0 ? '{}' : `{\n${values.join(',\n')}\n  }`
  return `{\n  "id": "${type}-1",\n  "type": ${writeJson(type)},\n  "fields": ${inside}\n}`
}
