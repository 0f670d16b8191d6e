import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { useApi } from '../../../../api/api-context.ts'
import { notifyDone } from '../../../../design/notify.tsx'
import { ProblemNote } from '../../../../design/problem-note.tsx'
import { curlFields } from '../../../../editor/curl/curl-fields.ts'
import { type CurlSignIn, curlSignIn } from '../../../../editor/curl/curl-sign-in.ts'
import { fillByCurl } from '../../../../editor/curl/fill-by-curl.ts'
import { type CurlRequest, readCurl } from '../../../../editor/curl/read-curl.ts'
import { findNode } from '../../../../editor/graph/flow.ts'
import { useEditor, useEditorState } from '../../editor-context.ts'
import { FocusedPanel } from '../focused-panel.tsx'
import classes from './api-request.module.css'

/** Fills a node by a command as documentation and browsers give it. The command itself is not kept. */
export function PasteCurl({ node, begun }: { readonly node: string; readonly begun: string }) {
  const [command, setCommand] = useState(begun)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const reading = useMemo(() => readCurl(command), [command])
  return (
    <FocusedPanel>
      <div className={classes.panel}>
        <p className={classes.hint}>
          Paste a command as documentation shows it, or as a browser copies it: Copy as cURL (bash).
        </p>
        <textarea
          className={classes.command}
          aria-label="curl command"
          placeholder={'curl https://shop.example/orders \\\n  -H "Accept: application/json"'}
          value={command}
          readOnly={isReadOnly}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setCommand(event.target.value)}
        />
        {command.trim() !== '' && reading.message !== undefined && (
          <p className={classes.hint} role="status">
            {reading.message}
          </p>
        )}
        {reading.message === undefined && !isReadOnly && <Offer node={node} request={reading.request} />}
      </div>
    </FocusedPanel>
  )
}

interface OfferProps {
  readonly node: string
  readonly request: CurlRequest
}

function Offer({ node, request }: OfferProps) {
  const editor = useEditor()
  const curl = useMemo(() => curlFields(request), [request])
  const signIn = useMemo(() => curlSignIn(request), [request])
  const fill = (connection?: string) => {
    const found = findNode(editor.state().flow, node)
    if (found === undefined) return
    editor.execute(fillByCurl(found, curl, connection))
    editor.closePanel()
    notifyDone(
      connection === undefined ? 'The node is filled.' : `The node is filled and uses ${connection}.`
    )
  }
  return (
    <>
      <p className={classes.line} role="status">
        <strong>{String(curl.fields.method)}</strong> <code>{request.url.origin + request.url.pathname}</code>
      </p>
      {curl.notices.length > 0 && (
        <ul className={classes.notices}>
          {curl.notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
      {signIn !== undefined && <OfferConnection signIn={signIn} host={request.url.hostname} onMade={fill} />}
      <div className={classes.buttons}>
        <Button variant={signIn === undefined ? 'filled' : 'default'} onClick={() => fill()}>
          {signIn === undefined ? 'Fill the node' : 'Fill without signing in'}
        </Button>
      </div>
    </>
  )
}

interface OfferConnectionProps {
  readonly signIn: CurlSignIn
  readonly host: string
  readonly onMade: (connection: string) => void
}

/** A secret goes into a connection, and never into the flow. */
function OfferConnection({ signIn, host, onMade }: OfferConnectionProps) {
  const api = useApi()
  const editor = useEditor()
  const [name, setName] = useState(host.replace(/^(?:www|api)\./, ''))
  const id = useId()
  const make = useMutation({
    mutationFn: () =>
      api.post('connections', {
        body: {
          name: name.trim(),
          kind: 'http',
          context: editor.state().flow.context,
          settings: signIn.settings,
          secrets: signIn.secrets
        }
      }),
    onSuccess: () => onMade(name.trim())
  })
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <p id={id} className={classes.line}>
        The command holds a secret. It does not go into the flow: a connection keeps it, sealed, and sends it
        to <code>{signIn.settings.base_url}</code> alone.
      </p>
      <TextInput
        label="Name of the connection"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ProblemNote error={make.error} />
      <div className={classes.buttons}>
        <Button loading={make.isPending} disabled={name.trim() === ''} onClick={() => make.mutate()}>
          Create the connection and fill in
        </Button>
      </div>
    </section>
  )
}
