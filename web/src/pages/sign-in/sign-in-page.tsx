import { Alert, Button, PasswordInput, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useApi } from '../../api/api-context.ts'
import { ApiProblem } from '../../api/problem.ts'
import { signIn } from '../../api/session.ts'
import { IconInfoCircle } from '../../design/icons/page-icons.ts'
import { ProblemNote } from '../../design/problem-note.tsx'
import { BrandMark } from '../../shell/brand-mark.tsx'
import { nextPlace } from './next-place.ts'
import classes from './sign-in-page.module.css'
import { signInReason } from './sign-in-reason.ts'

/** The way in: an API key becomes a session, and the key itself is kept nowhere in the page. */
export function SignInPage() {
  const [params] = useSearchParams()
  const reason = signInReason(params.get('reason'))
  useEffect(() => {
    document.title = 'Sign in · Millrace'
  }, [])
  return (
    <main className={classes.room}>
      <div className={classes.sheet}>
        <div className={classes.brand}>
          <BrandMark size={40} />
          <h1 className={classes.title}>Sign in to Millrace</h1>
        </div>
        {reason === undefined ? null : (
          <Alert variant="light" icon={<IconInfoCircle size={18} aria-hidden />} mb="md">
            {reason}
          </Alert>
        )}
        <KeyForm next={nextPlace(params.get('next'))} />
        <p className={classes.help}>
          The first start of Millrace prints a key, and a link that signs you in once. Somebody who has the
          right “admin” can make a key for you.
        </p>
      </div>
    </main>
  )
}

function KeyForm({ next }: { readonly next: string }) {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [key, setKey] = useState('')
  const entry = useMutation({
    mutationFn: () => signIn(api, key.trim()),
    onSuccess: () => {
      queries.clear()
      void navigate(next, { replace: true })
    }
  })
  const isRefused = entry.error instanceof ApiProblem && entry.error.status === 401
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (key.trim() === '') field.current?.focus()
        else entry.mutate()
      }}
    >
      <Stack gap="md">
        <PasswordInput
          ref={field}
          label="API key"
          autoComplete="current-password"
          autoFocus
          size="md"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={isRefused ? 'No such key, or it has expired. Check that all of it was copied.' : undefined}
        />
        {isRefused ? null : <ProblemNote error={entry.error} />}
        <Button type="submit" size="md" loading={entry.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
