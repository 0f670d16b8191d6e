import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * What a form can do where scripts run; it is sent without them too. Faults are told beside their fields before anything is
 * sent, in the words of the browser; a form with files goes out with its progress shown, and the answer, which is a
 * page, takes the place of the form. The second click of a double one is not sent.
 */
const SCRIPT = `'use strict'
const form = document.querySelector('form')
const main = document.querySelector('main')
const controls = () => [...form.elements].filter((each) => each.willValidate && each.id !== '')

function faultOf(control) {
  return document.getElementById(control.id + '-fault')
}

function show(control, message) {
  const place = faultOf(control)
  if (place === null) return
  place.textContent = message
  place.hidden = message === ''
  const all = control.type === 'radio' ? form.elements[control.name] : [control]
  for (const each of all.length === undefined ? [all] : all) {
    if (message === '') each.removeAttribute('aria-invalid')
    else each.setAttribute('aria-invalid', 'true')
    const ids = new Set((each.getAttribute('aria-describedby') || '').split(' ').filter(Boolean))
    if (message === '') ids.delete(place.id)
    else ids.add(place.id)
    if (ids.size === 0) each.removeAttribute('aria-describedby')
    else each.setAttribute('aria-describedby', [...ids].join(' '))
  }
}

/** What the service would refuse is not sent first. */
function judgeFile(control) {
  const { files, dataset } = control
  const limit = Number(dataset.limit)
  const isTooLarge = limit > 0 && files.length > 0 && files[0].size > limit
  control.setCustomValidity(isTooLarge ? 'Choose a file of at most ' + sizeOf(limit) + '.' : '')
}

/** As limits are set: 25 MB are 25 * 1024 * 1024 bytes. */
function sizeOf(bytes) {
  const unit = bytes < 1024 * 1024 ? 1024 : 1024 * 1024
  return Math.floor((bytes / unit) * 10) / 10 + (unit === 1024 ? ' kB' : ' MB')
}

function check() {
  for (const file of form.querySelectorAll('input[type=file]')) judgeFile(file)
  const faulty = controls().filter((control) => {
    show(control, control.validity.valid ? '' : control.validationMessage)
    return !control.validity.valid
  })
  if (faulty.length > 0) faulty[0].focus()
  return faulty.length === 0
}

function tell(text) {
  let problem = main.querySelector('.problem')
  if (problem === null) {
    problem = document.createElement('div')
    problem.className = 'problem'
    problem.setAttribute('role', 'alert')
    problem.tabIndex = -1
    form.before(problem)
  }
  const words = document.createElement('p')
  words.textContent = text
  problem.replaceChildren(words)
  problem.focus()
  problem.scrollIntoView({ block: 'nearest' })
}

function showProgress() {
  const box = document.createElement('div')
  box.className = 'progress'
  const words = document.createElement('span')
  words.id = 'sending'
  words.setAttribute('role', 'status')
  words.textContent = 'Sending…'
  const bar = document.createElement('progress')
  bar.setAttribute('aria-labelledby', 'sending')
  bar.max = 100
  box.append(words, bar)
  form.querySelector('.send').prepend(box)
  return { box, words, bar }
}

const button = form.querySelector('.send button')
let isSending = false

function sending(is) {
  isSending = is
  if (is) button.setAttribute('aria-disabled', 'true')
  else button.removeAttribute('aria-disabled')
}

/** The answer is a page of the same kind: with the form again, or with thanks. */
function take(answer) {
  const page = new DOMParser().parseFromString(answer.responseText, 'text/html')
  const next = page.querySelector('main')
  const notice = page.querySelector('main.said p:not(.thanks)')
  if (next === null) return tell('This could not be sent. Try again in a moment.')
  if (notice !== null) return tell(page.querySelector('h1').textContent + '. ' + notice.textContent)
  document.title = page.title
  if (page.querySelector('form') === null) {
    main.replaceWith(next)
    next.querySelector('h1').focus()
    window.scrollTo(0, 0)
    return
  }
  const problem = page.querySelector('.problem')
  main.querySelector('.problem')?.remove()
  form.before(problem)
  for (const control of controls()) show(control, page.getElementById(control.id + '-fault')?.textContent ?? '')
  problem.focus()
}

function send() {
  const progress = showProgress()
  const request = new XMLHttpRequest()
  const end = (act) => () => {
    progress.box.remove()
    sending(false)
    act()
  }
  request.open('POST', location.href)
  request.setRequestHeader('accept', 'text/html')
  request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
    if (!lengthComputable) return
    const share = Math.floor((loaded / total) * 100)
    progress.bar.value = share
    progress.words.textContent = share < 100 ? 'Sending… ' + share + ' %' : 'Sent. One moment…'
  }
  request.onload = end(() => take(request))
  request.onerror = end(() => tell('The connection was lost. Nothing was sent: try again.'))
  request.send(new FormData(form))
}

if (form !== null) {
  form.noValidate = true
  form.addEventListener('submit', (event) => {
    if (isSending || !check()) return event.preventDefault()
    sending(true)
    const hasFile = [...form.querySelectorAll('input[type=file]')].some(({ files }) => files.length > 0)
    if (!hasFile) return
    event.preventDefault()
    send()
  })
  const recheck = ({ target }) => {
    if (target.type === 'file') judgeFile(target)
    const place = faultOf(target) ?? (target.type === 'radio' ? faultOf(form.elements[target.name][0]) : null)
    if (place !== null && !place.hidden) show(target.id === '' ? form.elements[target.name][0] : target, target.validity.valid ? '' : target.validationMessage)
  }
  form.addEventListener('input', recheck)
  form.addEventListener('change', recheck)
  // Whoever comes back to it by the browser's history may send it again.
  window.addEventListener('pageshow', () => sending(false))
  const problem = main.querySelector('.problem')
  if (problem !== null) problem.focus()
}
`

const VERSION = createHash('sha256').update(SCRIPT).digest('base64url').slice(0, 12)

/** No flow is called like this. */
const PATH = '/form/-/form.js'

export const SCRIPT_PATH = `${PATH}?${VERSION}`

export function formScript(scope: FastifyInstance): void {
  scope.get(PATH, { config: { access: 'own guard' }, schema: { hide: true } }, (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin'
      })
      .send(SCRIPT)
  )
}
