import { Button, Textarea, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { type Comment, useChangeComments, useComments } from '../../../api/comments.ts'
import { useMay } from '../../../api/session.ts'
import { notifyProblem } from '../../../design/notify.tsx'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { FocusedPanel } from '../node-parts/focused-panel.tsx'
import classes from './company.module.css'

interface CommentsPanelProps {
  /** Whoever opens it wants to write. */
  readonly isToWrite: boolean
}

/** What people have written about the flow and its nodes: what is open first, and a field for more. */
export function CommentsPanel({ isToWrite }: CommentsPanelProps) {
  const { flowId } = useEditor()
  const comments = useComments(flowId)
  const mayWrite = useMay('write')
  const open = comments.filter(({ done_at }) => done_at === null)
  const done = comments.filter(({ done_at }) => done_at !== null)
  return (
    <FocusedPanel>
      <div className={classes.panel}>
        {mayWrite && <NewComment takesFocus={isToWrite} />}
        {comments.length === 0 && (
          <p className={classes.quiet}>
            Nobody has written anything yet. Comments are about the flow, and not part of it: no version
            contains them.
          </p>
        )}
        <CommentList comments={open} mayWrite={mayWrite} />
        {done.length > 0 && (
          <details>
            <summary className={classes.quiet}>{done.length} done</summary>
            <CommentList comments={done} mayWrite={mayWrite} />
          </details>
        )}
      </div>
    </FocusedPanel>
  )
}

function NewComment({ takesFocus }: { readonly takesFocus: boolean }) {
  const { flowId } = useEditor()
  const { write } = useChangeComments(flowId)
  const [text, setText] = useState('')
  const node = useEditorState(({ selection: { parts }, flow }) => {
    const [only, ...others] = parts
    return others.length === 0 ? flow.nodes.find(({ id }) => id === only) : undefined
  })
  const title = useEditorState(({ catalogue }) => node && catalogue.titleOf(node))
  const submit = () => {
    if (text.trim() === '' || write.isPending) return
    const written = { text: text.trim(), node: node?.id ?? null }
    write.mutate(written, { onSuccess: () => setText(''), onError: notifyProblem })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Textarea
        label={title === undefined ? 'Comment on the flow' : `Comment on ${title}`}
        placeholder="What should others know?"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4_000}
        {...(takesFocus && { 'data-autofocus': true })}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          submit()
        }}
      />
      <Button type="submit" size="compact-md" mt="xs" loading={write.isPending} disabled={text.trim() === ''}>
        Comment
      </Button>
    </form>
  )
}

interface CommentListProps {
  readonly comments: readonly Comment[]
  readonly mayWrite: boolean
}

function CommentList({ comments, mayWrite }: CommentListProps) {
  return (
    <ul className={classes.list}>
      {comments.map((comment) => (
        <li key={comment.id} className={classes.comment}>
          <Written comment={comment} />
          {mayWrite && <CommentActions comment={comment} />}
        </li>
      ))}
    </ul>
  )
}

function Written({
  comment: { node, text, author, created_at, done_at, done_by }
}: {
  readonly comment: Comment
}) {
  const editor = useEditor()
  const title = useEditorState(({ flow, catalogue }) => {
    const drawn = flow.nodes.find(({ id }) => id === node)
    return drawn === undefined ? undefined : catalogue.titleOf(drawn)
  })
  return (
    <>
      <p className={classes.quiet}>
        <strong>{author ?? 'Somebody'}</strong> <RelativeTime at={created_at} />
        {node !== null && ' · '}
        {node !== null && title === undefined && `${node}, which is gone`}
        {node !== null && title !== undefined && (
          <UnstyledButton className={classes.link} onClick={() => editor.goTo(node)}>
            {title}
          </UnstyledButton>
        )}
      </p>
      <p className={classes.text}>{text}</p>
      {done_at !== null && (
        <p className={classes.quiet}>
          Done by {done_by ?? 'somebody'} <RelativeTime at={done_at} />
        </p>
      )}
    </>
  )
}

function CommentActions({ comment: { id, done_at } }: { readonly comment: Comment }) {
  const { mark, remove } = useChangeComments(useEditor().flowId)
  const isOpen = done_at === null
  return (
    <div className={classes.actions}>
      <Button
        size="compact-xs"
        variant="light"
        loading={mark.isPending}
        onClick={() => mark.mutate({ id, done: isOpen }, { onError: notifyProblem })}
      >
        {isOpen ? 'Done' : 'Open again'}
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        color="red"
        loading={remove.isPending}
        onClick={() => remove.mutate(id, { onError: notifyProblem })}
      >
        Remove
      </Button>
    </div>
  )
}
