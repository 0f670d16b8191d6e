import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SLUG } from '../../../src/flows/document/flow-document.ts'
import {
  type Alias,
  type RecentCaller,
  useAddresses,
  useChangeSlug,
  useRemoveAlias
} from '../api/addresses.ts'
import { useApi } from '../api/api-context.ts'
import type { Flow } from '../api/shapes.ts'
import { notifyDone, notifyProblem } from '../design/notify.tsx'
import { ProblemNote } from '../design/problem-note.tsx'
import { RelativeTime } from '../design/relative-time.tsx'
import classes from './flow-address.module.css'

/** Changes the address of a flow: shows both, who called lately, and the old ones that still work. */
export function AddressDialog({ flow, onClose }: { readonly flow: Flow; readonly onClose: () => void }) {
  const api = useApi()
  const [slug, setSlug] = useState(flow.slug)
  const change = useChangeSlug(flow.id)
  const { data, error } = useAddresses(flow.id)
  const isSlug = new RegExp(SLUG).test(slug)
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    change.mutate(slug, {
      onSuccess: () => {
        notifyDone(`The address is now ${slug}. ${flow.slug} still works.`)
        onClose()
      }
    })
  }
  return (
    <Modal opened onClose={onClose} title={`Address of ${flow.name}`} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Slug"
            description="The short name in the address. Nothing changes until you press the button."
            data-autofocus
            value={slug}
            maxLength={80}
            error={
              isSlug
                ? undefined
                : 'Use lowercase letters, digits, - and _, with a letter or digit at both ends.'
            }
            onChange={(event) => setSlug(event.target.value)}
          />
          {slug !== flow.slug && isSlug && (
            <div>
              <code className={classes.address}>{api.address(`webhook/${slug}`)}</code>
              <div className={classes.help}>
                is the new address. <code>{flow.slug}</code> keeps working as an alias until you remove it.
              </div>
            </div>
          )}
          <Callers callers={data?.recent_callers ?? []} />
          <Aliases flow={flow.id} aliases={data?.aliases ?? []} />
          <ProblemNote error={change.error ?? error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={slug === flow.slug || !isSlug} loading={change.isPending}>
              Change the address
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function Callers({ callers }: { readonly callers: readonly RecentCaller[] }) {
  return (
    <section aria-label="Recent callers">
      <div className={classes.label}>Recent callers</div>
      {callers.length === 0 ? (
        <div className={classes.help}>Nobody has called it yet.</div>
      ) : (
        <ul className={classes.list}>
          {callers.map(({ path, address, agent, calls, last_called_at: at }) => (
            <li key={`${path} ${address} ${agent}`}>
              <span>
                {agent ?? 'Unknown sender'}, {address}, <code>{path.split('/').at(-1)}</code>
              </span>
              <span>
                {calls} of the last requests, <RelativeTime at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Aliases({ flow, aliases }: { readonly flow: string; readonly aliases: readonly Alias[] }) {
  const remove = useRemoveAlias(flow)
  // A question in its place: a dialog would lie below this one.
  const [asked, setAsked] = useState<string>()
  if (aliases.length === 0) return null
  const end = (slug: string) => {
    if (asked !== slug) return setAsked(slug)
    remove.mutate(slug, {
      onSuccess: () => notifyDone(`${slug} is no longer an address of this flow.`),
      onError: notifyProblem
    })
  }
  return (
    <section aria-label="Old addresses">
      <div className={classes.label}>Old addresses that still work</div>
      <ul className={classes.list}>
        {aliases.map(({ slug, calls, last_called_at: at, callers }) => (
          <li key={slug}>
            <span>
              <code>{slug}</code>{' '}
              {at === null ? (
                'not called since it was changed'
              ) : (
                <>
                  called {calls === 1 ? 'once' : `${calls} times`}, last <RelativeTime at={at} />
                  {callers[0] && ` by ${callers[0].key ?? callers[0].address}`}
                </>
              )}
            </span>
            <Button
              size="compact-sm"
              {...(asked === slug ? { color: 'red' } : { variant: 'default' })}
              aria-label={asked === slug ? `Callers get 404: remove ${slug}` : `Remove ${slug}`}
              onClick={() => end(slug)}
            >
              {asked === slug ? 'Callers get 404: remove' : 'Remove'}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
