/**
 * Puts the chat on a page of somebody else, as a button and a frame: what is in the frame is of another origin, so neither side reads the
 * other. `<script src="…/chat/<flow>/widget.js" data-label="Ask us" defer></script>`
 */
export const WIDGET_SCRIPT = String.raw`(() => {
  'use strict'
  const own = document.currentScript
  if (own === null || document.getElementById('millrace-chat') !== null) return
  const chat = own.src.replace(/\/widget\.js(?:[?#].*)?$/, '')
  const label = own.dataset.label || 'Chat'
  const box = document.createElement('div')
  box.id = 'millrace-chat'
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = label
  button.setAttribute('aria-expanded', 'false')
  const look = (element, style) => Object.assign(element.style, style)
  look(box, { position: 'fixed', right: '16px', bottom: '16px', zIndex: '2147483000', display: 'flex', flexDirection: 'column', alignItems: 'flex-end', gap: '8px' })
  look(button, { font: '600 16px system-ui, sans-serif', color: '#fff', background: own.dataset.color || '#0b6477', border: '2px solid #fff', borderRadius: '24px', padding: '12px 20px', cursor: 'pointer', boxShadow: '0 2px 8px #0004' })
  let frame = null
  const isOpen = () => frame !== null && frame.style.display !== 'none'
  const show = (is) => {
    if (is && frame === null) {
      frame = document.createElement('iframe')
      frame.src = chat
      frame.title = label
      look(frame, { width: 'min(400px, calc(100vw - 32px))', height: 'min(600px, calc(100vh - 96px))', border: '1px solid #73838e', borderRadius: '12px', background: 'Canvas', boxShadow: '0 8px 32px #0004' })
      box.prepend(frame)
    }
    if (frame !== null) frame.style.display = is ? 'block' : 'none'
    button.setAttribute('aria-expanded', String(is))
    if (is) frame.focus()
    else button.focus()
  }
  button.addEventListener('click', () => show(!isOpen()))
  addEventListener('keydown', (event) => { if (event.key === 'Escape' && isOpen()) show(false) })
  addEventListener('message', (event) => {
    if (frame !== null && event.source === frame.contentWindow && event.data === 'millrace-chat-close') show(false)
  })
  box.append(button)
  const put = () => document.body.append(box)
  if (document.body === null) addEventListener('DOMContentLoaded', put)
  else put()
})()
`
