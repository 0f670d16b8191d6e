import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { Form } from '../../../../../../src/flows/form/form.ts'
import { EMPTY_FORM, formHtml } from '../../../../../../src/flows/form/form-html.ts'
import { formStyle } from '../../../../../../src/flows/form/form-style.ts'
import classes from './form-builder.module.css'

/**
 * The form as the service will send it, by the same functions. It stands in a root of its own, where no style of the page reaches;
 * a sheet that is made by a script needs no leave of the page's policy. Nothing in it can be filled in or sent.
 */
export function FormPreview({ form }: { readonly form: Form }) {
  const scheme = useComputedColorScheme('light')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const host = place.current
    if (host === null) return
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(formStyle(form))
    root.adoptedStyleSheets = [sheet]
    // All that people wrote is escaped in it.
    root.innerHTML = `<div class="page" data-scheme="${scheme}" inert>${formHtml(form, EMPTY_FORM)}</div>`
  }, [form, scheme])
  return (
    <figure className={classes.preview}>
      <figcaption className={classes.caption}>Preview</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
      <section className={classes.paper} aria-label="Preview of the form" tabIndex={0}>
        <div ref={place} />
      </section>
    </figure>
  )
}
