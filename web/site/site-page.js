// In the reader's browser: what is typed finds, buttons copy, and the theme is chosen. SECTIONS is in sections.js.
import { findHelp } from '../src/help/find-help.ts'

const root = document.body.dataset.root
const search = document.getElementById('search')
const found = document.getElementById('found')
const page = document.getElementById('page')

search.addEventListener('input', () => {
  const isAsked = search.value.trim() !== ''
  page.hidden = isAsked
  found.replaceChildren(...(isAsked ? [listOf(findHelp(globalThis.SECTIONS, search.value, 30))] : []))
})
search.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') found.querySelector('a')?.click()
  if (key !== 'Escape') return
  search.value = ''
  search.dispatchEvent(new Event('input'))
})

function listOf(sections) {
  if (sections.length === 0) return paragraph('Nothing in the help has these words.')
  const list = document.createElement('ul')
  for (const { to, title, heading, beginning } of sections) {
    const [place, anchor] = to.split('#')
    const link = document.createElement('a')
    link.href = `${root}${place}.html${anchor === undefined ? '' : `#${anchor}`}`
    link.textContent = heading === title ? title : `${title}: ${heading}`
    const words = document.createElement('span')
    words.textContent = beginning
    const item = document.createElement('li')
    item.append(link, words)
    list.append(item)
  }
  return list
}

function paragraph(text) {
  const one = document.createElement('p')
  one.textContent = text
  return one
}

document.addEventListener('click', async ({ target }) => {
  if (!target.matches('button.copy')) return
  await navigator.clipboard.writeText(target.previousElementSibling.textContent.trimEnd())
  target.textContent = 'Copied'
  setTimeout(() => {
    target.textContent = 'Copy'
  }, 1600)
})

document.getElementById('theme').addEventListener('click', () => {
  const { dataset } = document.documentElement
  dataset.mantineColorScheme = dataset.mantineColorScheme === 'dark' ? 'light' : 'dark'
  try {
    localStorage.setItem('mantine-color-scheme-value', dataset.mantineColorScheme)
  } catch {
    // Storage is blocked: it is chosen for this page.
  }
})

// On a phone the contents are folded away.
if (matchMedia('(max-width: 760px)').matches) document.querySelector('.contents').removeAttribute('open')
