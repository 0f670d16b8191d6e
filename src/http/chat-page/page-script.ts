/**
 * The page of a public chat. Whatever a flow says is put together of elements and texts, and never read as HTML; a visitor is known by
 * a token that their browser made up, and what was said is kept there.
 */
export const PAGE_SCRIPT = String.raw`'use strict'
const log = document.getElementById('log')
const problem = document.getElementById('problem')
const form = document.querySelector('form')
const box = document.getElementById('text')
const [send, stop, anew] = ['send', 'stop', 'anew'].map((id) => document.getElementById(id))
const PLACE = 'millrace-chat ' + location.pathname
const MOST_KEPT = 200

let kept = read()
let underWay = null

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE))
    if (typeof found.token === 'string' && Array.isArray(found.said)) return found
  } catch {}
  return { token: newToken(), said: [] }
}

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_')
}

function keep(by, text) {
  kept.said.push([by, text])
  kept.said.splice(0, kept.said.length - MOST_KEPT)
  try {
    localStorage.setItem(PLACE, JSON.stringify(kept))
  } catch {}
}

const FENCE = /^\s*\x60{3,}/
const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/
const INLINE = /\x60([^\x60\n]+)\x60|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|\[([^\][\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)|(https?:\/\/[^\s<>()\[\]]{1,2000})/g

function element(name, text) {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  return made
}

function link(text, address) {
  const made = element('a', text)
  made.href = address
  made.target = '_blank'
  made.rel = 'noopener noreferrer nofollow ugc'
  return made
}

function inline(text, into) {
  let from = 0
  for (const found of text.matchAll(INLINE)) {
    if (found.index > from) into.append(text.slice(from, found.index))
    from = found.index + found[0].length
    const [, code, strong, emphasis, label, address, bare] = found
    if (code !== undefined) into.append(element('code', code))
    else if (strong !== undefined) into.append(element('strong', strong))
    else if (emphasis !== undefined) into.append(element('em', emphasis))
    else into.append(link(label ?? bare, address ?? bare))
  }
  if (from < text.length) into.append(text.slice(from))
}

function blocks(text) {
  const made = []
  let last = null
  let code = null
  const open = (name, kind) => {
    if (last?.kind !== kind) {
      last = { kind, element: element(name) }
      made.push(last.element)
    }
    return last.element
  }
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      if (code === null) {
        code = element('code')
        const pre = element('pre')
        pre.append(code)
        made.push(pre)
      } else code = null
      last = null
      continue
    }
    if (code !== null) {
      code.append(line + '\n')
      continue
    }
    const item = ITEM.exec(line)
    if (line.trim() === '') last = null
    else if (item !== null) {
      const list = open(item[1] === undefined ? 'ul' : 'ol', item[1] === undefined ? 'ul' : 'ol')
      if (item[1] !== undefined && list.childElementCount === 0) list.start = Number(item[1])
      const entry = element('li')
      inline(item[2], entry)
      list.append(entry)
    } else {
      const heading = /^#{1,6}\s+(.*)$/.exec(line)
      const quote = /^>\s?(.*)$/.exec(line)
      if (heading !== null) last = null
      const into = heading !== null ? open('p', 'heading') : quote !== null ? open('blockquote', 'quote') : open('p', 'text')
      if (into.childNodes.length > 0) into.append(element('br'))
      if (heading === null) inline(quote === null ? line : quote[1], into)
      else {
        const strong = element('strong')
        inline(heading[1], strong)
        into.append(strong)
        last = null
      }
    }
  }
  return made
}

function isAtEnd() {
  return log.scrollHeight - log.scrollTop - log.clientHeight < 60
}

function add(made) {
  const wasAtEnd = isAtEnd()
  log.append(made)
  if (wasAtEnd || made.className === 'asked') log.scrollTop = log.scrollHeight
  return made
}

function asked(text) {
  const made = element('div', text)
  made.className = 'asked'
  return add(made)
}

/** What the flow says, drawn at most once in a frame of the screen. */
function saying() {
  const made = element('div')
  made.className = 'said coming'
  add(made)
  let text = ''
  let isDue = false
  const draw = () => {
    isDue = false
    const wasAtEnd = isAtEnd()
    made.replaceChildren(...blocks(text))
    if (wasAtEnd) log.scrollTop = log.scrollHeight
  }
  const drawSoon = () => {
    if (!isDue) requestAnimationFrame(draw)
    isDue = true
  }
  return {
    piece: (piece) => { text += piece; drawSoon() },
    restart: () => { text = ''; drawSoon() },
    whole: (all) => { text = all; made.classList.remove('coming'); draw() },
    end: () => { if (text === '') made.remove(); else made.classList.remove('coming') }
  }
}

function tell(text) {
  problem.textContent = text
  problem.hidden = text === ''
}

function working(is) {
  send.hidden = is
  stop.hidden = !is
  log.setAttribute('aria-busy', String(is))
}

async function* events(answer) {
  const decoder = new TextDecoder()
  const reader = answer.body.getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const found = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end))
      text = text.slice(end + 2)
      if (found !== null) yield [found[1], JSON.parse(found[2])]
    }
  }
}

const SORRY = 'Something went wrong. Try again in a moment.'

async function ask(text, signal) {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const body = JSON.stringify({ text, session: kept.token })
  const answer = await fetch(location.pathname, { method: 'POST', headers, body, signal, credentials: 'omit' })
  if (answer.status === 429) throw new Error('Too many messages came at once. Wait a minute, then try again.')
  if (answer.status === 404 || answer.status === 503) throw new Error('The chat is closed for now.')
  if (!answer.ok) throw new Error(SORRY)
  let now = saying()
  try {
    for await (const [event, data] of events(answer)) {
      if (event === 'delta') now.piece(data.text)
      else if (event === 'restart') now.restart()
      else if (event === 'message') {
        now.whole(data.text)
        keep('said', data.text)
        now = saying()
      } else if (event === 'end') {
        if (data.status === 'failed' || data.status === 'cancelled') throw new Error(SORRY)
        if (data.status === 'queued') throw new Error('The chat is paused. Your message was taken, and is answered later.')
        return
      }
    }
    throw new Error('The connection was lost. Try again.')
  } finally {
    now.end()
  }
}

async function say(text) {
  tell('')
  asked(text)
  keep('asked', text)
  anew.hidden = false
  underWay = new AbortController()
  const { signal } = underWay
  working(true)
  try {
    await ask(text, signal)
  } catch (error) {
    if (!signal.aborted) tell(error instanceof TypeError ? 'The connection was lost. Try again.' : error.message)
  }
  underWay = null
  working(false)
}

function fit() {
  box.style.height = 'auto'
  box.style.height = Math.min(box.scrollHeight + 2, 160) + 'px'
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const text = box.value.trim()
  if (text === '' || underWay !== null) return
  box.value = ''
  fit()
  say(text)
  box.focus()
})
box.addEventListener('input', fit)
box.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  form.requestSubmit()
})
stop.addEventListener('click', () => {
  underWay?.abort()
  box.focus()
})
anew.addEventListener('click', () => {
  underWay?.abort()
  kept = { token: newToken(), said: [] }
  try {
    localStorage.removeItem(PLACE)
  } catch {}
  for (const made of [...log.querySelectorAll('.asked, .said')].slice(welcomes)) made.remove()
  tell('')
  anew.hidden = true
  box.focus()
})
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && window.parent !== window) window.parent.postMessage('millrace-chat-close', '*')
})

const welcomes = log.childElementCount
for (const [by, text] of kept.said) {
  if (by === 'asked') asked(text)
  else {
    const made = element('div')
    made.className = 'said'
    made.append(...blocks(text))
    add(made)
  }
}
anew.hidden = kept.said.length === 0
log.scrollTop = log.scrollHeight
`
