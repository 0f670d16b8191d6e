import { escaped } from '../escape-html.ts'
import type { Form } from './form.ts'
import type { FormField } from './form-fields.ts'
import { keyboardOf } from './keyboard.ts'
import type { AnswerFault } from './read-answers.ts'

/** The form's own names, beside those of its fields. */
export const KEY_NAME = '_key'
export const TRAP_NAME = '_website'

/** How a form stands before whoever fills it in. */
export interface FilledForm {
  /** By the name of the field, as texts. */
  readonly values: Readonly<Record<string, string>>
  readonly faults: readonly AnswerFault[]
  /** What concerns no field. */
  readonly problem?: string
  /** Unlike that of any other page: what is sent twice with it is taken once. */
  readonly key: string
  /** Bytes that a file may have, as far as that is known. */
  readonly fileLimit?: number
  /** Files were chosen, and have to be chosen again. */
  readonly hadFiles?: boolean
  /** Somebody, or something, has filled in what people do not see. */
  readonly showsTrap?: boolean
}

export const EMPTY_FORM: FilledForm = { values: {}, faults: [], key: '' }

/** The form as HTML, within an element of the class `page`. The editor shows the same before it is published. */
export function formHtml(form: Form, filled: FilledForm): string {
  const hasFile = form.fields.some(({ type }) => type === 'file')
  const encoding = hasFile ? ' enctype="multipart/form-data"' : ''
  return `<main>${headOf(form)}${problemOf(form, filled)}<form method="post"${encoding}>
<input type="hidden" name="${KEY_NAME}" value="${escaped(filled.key)}">
${trapOf(filled.showsTrap === true)}
${form.fields.map((field, at) => fieldHtml(field, at, filled)).join('\n')}
<div class="send"><button type="submit">${escaped(form.button)}</button></div></form></main>`
}

export function thanksHtml(form: Form, thanks: string): string {
  return `<main class="said">${pictureOf(form)}<h1 tabindex="-1">${escaped(form.title)}</h1><p class="thanks" role="status">${escaped(thanks)}</p></main>`
}

/** In place of the form. */
export function noticeHtml(title: string, text: string): string {
  return `<main class="said"><h1 tabindex="-1">${escaped(title)}</h1><p>${escaped(text)}</p></main>`
}

function headOf(form: Form): string {
  const description = form.description === '' ? '' : `<p class="description">${escaped(form.description)}</p>`
  return `${pictureOf(form)}<h1>${escaped(form.title)}</h1>${description}`
}

/** It says nothing that the title does not. */
function pictureOf({ picture }: Form): string {
  return picture === '' ? '' : `<img class="picture" src="${escaped(picture)}" alt="">`
}

/** Above the form, with ways to each field: it is read first, and where a page is long it is what is seen. */
function problemOf({ fields }: Form, { faults, problem, hadFiles = false }: FilledForm): string {
  if (faults.length === 0 && problem === undefined) return ''
  const links = faults.map(({ name, message }) => {
    const at = fields.findIndex((field) => field.name === name)
    const label = fields[at]?.label ?? name
    return `<li><a href="#${idOf(at)}">${escaped(label)}</a>: ${escaped(message)}</li>`
  })
  const words =
    faults.length === 1 ? 'One answer needs another look:' : `${faults.length} answers need another look:`
  const told = faults.length === 0 ? '' : `<p>${words}</p><ul>${links.join('')}</ul>`
  const said = problem === undefined ? '' : `<p>${escaped(problem)}</p>`
  const again = hadFiles ? '<p class="again">Choose your files again before you send it.</p>' : ''
  return `<div class="problem" role="alert" tabindex="-1">${said}${told}${again}</div>`
}

/** Programs that fill in whatever there is fill this in too. Nobody else sees it, hears of it or comes to it by a key. */
function trapOf(isShown: boolean): string {
  if (isShown) {
    return `<div class="field"><label for="trap">Leave this empty</label><input class="control" id="trap" name="${TRAP_NAME}" autocomplete="off"></div>`
  }
  return `<div class="trap" aria-hidden="true"><label>Leave this empty<input name="${TRAP_NAME}" tabindex="-1" autocomplete="off"></label></div>`
}

function idOf(at: number): string {
  return `field-${at + 1}`
}

function fieldHtml(field: FormField, at: number, filled: FilledForm): string {
  const id = idOf(at)
  const fault = filled.faults.find(({ name }) => name === field.name)?.message
  const value = Object.hasOwn(filled.values, field.name) ? filled.values[field.name]! : ''
  const described = [field.help === '' ? '' : `${id}-help`, fault === undefined ? '' : `${id}-fault`]
  const about = {
    id,
    value,
    help: field.help === '' ? '' : `<p class="help" id="${id}-help">${escaped(field.help)}</p>`,
    fault: `<p class="fault" id="${id}-fault"${fault === undefined ? ' hidden' : ''}>${escaped(fault ?? '')}</p>`,
    describedBy: described.join(' ').trim(),
    isFaulty: fault !== undefined,
    fileLimit: filled.fileLimit === undefined ? '' : ` data-limit="${filled.fileLimit}"`
  }
  if (field.type === 'checkbox') return checkboxHtml(field, about)
  if (hasRadios(field)) return radiosHtml(field, about)
  return `<div class="field">${labelHtml(field, id)}${about.help}${controlHtml(field, about)}${about.fault}</div>`
}

interface About {
  readonly id: string
  readonly value: string
  /** HTML. */
  readonly help: string
  readonly fault: string
  readonly describedBy: string
  readonly isFaulty: boolean
  /** An attribute. */
  readonly fileLimit: string
}

/** Few enough to be seen at once. What was chosen by a radio cannot be taken back, so others have an empty choice. */
function hasRadios({ type, choices, required }: FormField): boolean {
  return type === 'choice' && required && choices.length <= 5
}

const OPTIONAL = ' <span class="optional">(optional)</span>'

function labelHtml({ label, required }: FormField, id: string): string {
  return `<label for="${id}">${escaped(label)}${required ? '' : OPTIONAL}</label>`
}

function controlHtml(field: FormField, about: About): string {
  const shared = `class="control" ${attributesOf(field, about)}`
  if (field.type === 'long text')
    return `<textarea ${shared} rows="5">${escaped(newLine(about.value))}</textarea>`
  if (field.type === 'choice') return `<select ${shared}>${optionsOf(field, about.value)}</select>`
  if (field.type === 'file') return `<input type="file" ${shared}${about.fileLimit}>`
  return `<input ${keyboardOf(field)} ${shared} value="${escaped(about.value)}">`
}

/** A browser drops the first line break in a text area. */
function newLine(text: string): string {
  return text.startsWith('\n') ? `\n${text}` : text
}

function attributesOf({ name, required }: FormField, about: About): string {
  return [
    `id="${about.id}"`,
    `name="${escaped(name)}"`,
    required ? 'required' : '',
    about.describedBy === '' ? '' : `aria-describedby="${about.describedBy}"`,
    about.isFaulty ? 'aria-invalid="true"' : ''
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function optionsOf({ choices, required }: FormField, value: string): string {
  const empty = `<option value="">${required ? 'Choose one' : ''}</option>`
  // The text of an option loses spaces at its ends; what is sent is the value.
  const options = choices.map(
    (choice) =>
      `<option value="${escaped(choice)}"${choice === value ? ' selected' : ''}>${escaped(choice)}</option>`
  )
  return empty + options.join('')
}

function checkboxHtml(field: FormField, about: About): string {
  const isTicked = about.value === 'true' || about.value === 'on'
  return `<div class="field"><label class="tick"><input type="checkbox" value="true" ${attributesOf(field, about)}${isTicked ? ' checked' : ''}><span>${escaped(field.label)}</span></label>${about.help}${about.fault}</div>`
}

function radiosHtml(field: FormField, about: About): string {
  const described = about.describedBy === '' ? '' : ` aria-describedby="${about.describedBy}"`
  const radios = field.choices.map((choice, at) => {
    // The first one is where a link to the field leads.
    const id = at === 0 ? ` id="${about.id}"` : ''
    const invalid = about.isFaulty ? ' aria-invalid="true"' : ''
    return `<label class="tick"><input type="radio"${id} name="${escaped(field.name)}" value="${escaped(choice)}" required${choice === about.value ? ' checked' : ''}${invalid}${described}><span>${escaped(choice)}</span></label>`
  })
  return `<fieldset class="field"><legend>${escaped(field.label)}</legend>${about.help}${radios.join('')}${about.fault}</fieldset>`
}
