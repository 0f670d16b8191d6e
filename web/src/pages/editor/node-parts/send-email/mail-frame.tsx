import { useEffect, useRef, useState } from 'react'
import { fillFrame } from './fill-frame.ts'
import classes from './send-email.module.css'

/**
 * Nothing in it runs and nothing is loaded into it, whatever the mail holds: the sandbox lets no script run, no form be sent and
 * no window be opened, and the policy lets no address be asked. It counts as of this page only so that styles can be set.
 */
const EMPTY_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src data:"><title>Mail</title></head><body></body></html>`

const LEAST_HEIGHT = 60
const MOST_HEIGHT = 480

/** The HTML of a mail, drawn on white as in most programs for mail. */
export function MailFrame({ html }: { readonly html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [loads, setLoads] = useState(0)
  const [shown, setShown] = useState({ height: LEAST_HEIGHT, left: 0 })
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (loads === 0 || page == null) return
    const left = fillFrame(page, html)
    const height = Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, page.body.offsetHeight))
    setShown({ height, left })
  }, [html, loads])
  return (
    <>
      <iframe
        ref={frame}
        title="The mail as a page"
        className={classes.frame}
        sandbox="allow-same-origin"
        srcDoc={EMPTY_PAGE}
        height={shown.height}
        onLoad={() => setLoads((count) => count + 1)}
      />
      {shown.left > 0 && (
        <p className={classes.quiet}>
          {shown.left === 1 ? 'A remote picture is' : `${shown.left} remote pictures are`} not loaded here.
        </p>
      )}
    </>
  )
}
