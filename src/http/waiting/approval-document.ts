import { escaped } from '../../flows/escape-html.ts'
import type { Approval } from '../../runs/present/approval.ts'
import { type DocumentStyle, documentStyle, wordsOf } from '../page/plain-document.ts'

/** What somebody sees who follows the link of a question. */
export type Shown =
  | {
      readonly kind: 'question'
      readonly approval: Approval
      readonly flow: string
      readonly problem?: string
    }
  | { readonly kind: 'closed'; readonly approval: Approval; readonly flow: string }
  | { readonly kind: 'notice'; readonly title: string; readonly text: string }

export const LONGEST_NAME = 100

export function documentOf(shown: Shown, longestComment: number): { head: string; body: string } {
  const title = shown.kind === 'notice' ? shown.title : shown.approval.question
  const head = `<title>${escaped(title.slice(0, 100))} – Millrace</title>`
  const inner =
    shown.kind === 'notice'
      ? `<h1>${escaped(shown.title)}</h1><p>${escaped(shown.text)}</p>`
      : questionOf(shown) +
        (shown.kind === 'closed' ? decisionOf(shown.approval) : formOf(shown, longestComment))
  return { head, body: `<main>${inner}</main>` }
}

function questionOf({ approval, flow }: Exclude<Shown, { kind: 'notice' }>): string {
  const until = approval.expires_at === null ? '' : ` · until ${timeOf(approval.expires_at)}`
  const test = approval.test ? ' · test of a draft' : ''
  // The first line is what is asked; the lines below it are what one reads to decide.
  const [asked = '', ...details] = approval.question.trim().split('\n')
  const below = details.length === 0 ? '' : `<p class="details">${escaped(details.join('\n').trim())}</p>`
  return `<p class="flow">${wordsOf(flow)}${test}</p><h1>${escaped(asked)}</h1>${below}<p class="quiet">Asked on ${timeOf(approval.created_at)}${approval.status === 'open' ? until : ''}</p>`
}

/**
 * Enter in the field of the name presses the first button of a form. That one is disabled, so nobody decides by accident.
 */
function formOf({ approval, problem }: Extract<Shown, { kind: 'question' }>, longestComment: number): string {
  const buttons = approval.choices.map(
    (choice, at) =>
      `<button name="choice" value="${escaped(choice)}"${at === 0 ? ' class="first"' : ''}>${wordsOf(choice)}</button>`
  )
  const told = problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`
  return `${told}<form method="post"><button disabled hidden></button>
<label>Your name <span class="quiet">(optional)</span><input name="by" maxlength="${LONGEST_NAME}" autocomplete="name"></label>
<label>Comment <span class="quiet">(optional)</span><textarea name="comment" rows="3" maxlength="${longestComment}"></textarea></label>
<div class="choices">${buttons.join('')}</div></form>`
}

function decisionOf({ answer }: Approval): string {
  if (answer === null)
    return '<p class="decision">Nobody answered in time, or the run has ended. There is nothing to decide any more.</p>'
  const who = answer.by === null ? 'Somebody with the link' : wordsOf(answer.by)
  const comment = answer.comment === null ? '' : `<blockquote>${wordsOf(answer.comment)}</blockquote>`
  return `<p class="decision"><strong>${wordsOf(answer.choice)}</strong></p><p>${who} decided this on ${timeOf(answer.at)}.</p>${comment}`
}

/** In UTC: where the reader is, the service does not know. */
function timeOf(iso: string): string {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return `<time datetime="${iso}">${text.format(new Date(iso))} UTC</time>`
}

export const APPROVAL_STYLE: DocumentStyle =
  documentStyle(`:root{color-scheme:light dark;--ground:#f5f7f8;--surface:#fff;--border:#b9c5cd;--text:#16212a;--quiet:#51606b;--accent:#0b6477;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#10161a;--surface:#171f25;--border:#465561;--text:#e4ebef;--quiet:#a0b0bb;--accent:#5cbdd2;--on-accent:#06222a}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:6vh auto;padding:1.5rem;background:var(--surface);border-radius:12px;overflow-wrap:anywhere}
h1{margin:.25rem 0 .5rem;font-size:1.25rem;line-height:1.35;white-space:pre-wrap;unicode-bidi:plaintext}
.details{margin:0 0 .75rem;white-space:pre-wrap;unicode-bidi:plaintext}
.flow{margin:0;color:var(--quiet);font-size:.875rem}
.quiet{color:var(--quiet);font-size:.875rem;font-weight:400}
label{display:block;margin:1rem 0 0;font-weight:500}
input,textarea{display:block;width:100%;margin-top:.25rem;padding:.6rem .7rem;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--border);border-radius:8px}
.choices{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
button{flex:1 1 8rem;min-height:2.75rem;padding:.5rem 1rem;font:inherit;font-weight:600;color:inherit;background:none;border:1px solid var(--border);border-radius:8px;cursor:pointer}
button[hidden]{display:none}
button.first{color:var(--on-accent);background:var(--accent);border-color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.decision{margin:1.25rem 0 0;font-size:1.125rem}
blockquote{margin:.75rem 0 0;padding-left:.75rem;border-left:3px solid var(--border);white-space:pre-wrap}
[role=alert]{padding:.6rem .8rem;border:1px solid currentcolor;border-radius:8px}
@media (max-width:36rem){main{margin:0;min-height:100vh;border-radius:0}}`)
