import { Button, Group, Modal, Stack } from '@mantine/core'
import { type Connection, type SignInPlace, useBeginSignIn } from '../../api/connections.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import { notifyProblem } from '../../design/notify.tsx'
import classes from './connections-page.module.css'

/** For a connection that a person signs in for, once. */
export function SignInButton({ connection }: { readonly connection: Connection }) {
  const begin = useBeginSignIn(connection)
  const { auth, grant } = connection.settings
  if (auth !== 'oauth2' || grant !== 'authorization_code') return null
  return (
    <>
      <Button
        variant="default"
        size="xs"
        loading={begin.isPending}
        aria-label={`Sign in for ${connection.name}`}
        onClick={() => begin.mutate(undefined, { onError: notifyProblem })}
      >
        Sign in
      </Button>
      <Modal
        opened={begin.data !== undefined}
        onClose={begin.reset}
        title={`Sign in for “${connection.name}”`}
        size="lg"
      >
        {begin.data !== undefined && <SignInSteps place={begin.data} onClose={begin.reset} />}
      </Modal>
    </>
  )
}

/** A link and not a window that opens by itself: browsers keep such from people. */
function SignInSteps({ place, onClose }: { readonly place: SignInPlace; readonly onClose: () => void }) {
  return (
    <Stack gap="md">
      <p className={classes.step}>
        Register this address with the provider as the redirect URI of the client:
      </p>
      <div className={classes.redirect}>
        <code>{place.redirect_uri}</code>
        <CopyButton text={place.redirect_uri} label="Copy the redirect URI" />
      </div>
      <p className={classes.step}>
        Then sign in there. The page that opens says whether it worked. From then on, Millrace renews the
        sign-in by itself.
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button component="a" href={place.url} target="_blank" rel="noreferrer" onClick={onClose}>
          Open the provider’s page
        </Button>
      </Group>
    </Stack>
  )
}
