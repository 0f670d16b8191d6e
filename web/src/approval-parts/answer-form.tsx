import { Button, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { words } from '../../../src/flows/template/plain-words.ts'
import { useApi } from '../api/api-context.ts'
import { answerApproval } from '../api/approvals.ts'
import { notifyDone, notifyProblem } from '../design/notify.tsx'
import classes from './approval-parts.module.css'

interface AnswerFormProps {
  readonly approvalId: string
  readonly question: string
  readonly choices: readonly string[]
  readonly runId: string
}

/** The buttons of a question, and room for a comment that goes with the answer. */
export function AnswerForm({ approvalId, question, choices, runId }: AnswerFormProps) {
  const api = useApi()
  const queries = useQueryClient()
  const [comment, setComment] = useState<string>()
  const answer = useMutation({
    mutationFn: (choice: string) =>
      answerApproval(api, approvalId, { choice, ...(comment?.trim() && { comment: comment.trim() }) }),
    onSuccess: (_answered, choice) => notifyDone(words`Answered: ${choice}`),
    onError: notifyProblem,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['approvals'] }),
        queries.invalidateQueries({ queryKey: ['run', runId] })
      ])
  })
  return (
    <div className={classes.form}>
      {comment !== undefined && (
        <Textarea
          label="Comment"
          className={classes.comment}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
          maxLength={4000}
          autosize
          minRows={2}
          autoFocus
        />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame and take a legend that all can see. */}
      <div className={classes.choices} role="group" aria-label={`Answer: ${question.slice(0, 100)}`}>
        {choices.map((choice, at) => (
          <Button
            key={choice}
            variant={at === 0 ? 'filled' : 'default'}
            loading={answer.isPending && answer.variables === choice}
            disabled={answer.isPending}
            onClick={() => answer.mutate(choice)}
          >
            {choice}
          </Button>
        ))}
        {comment === undefined && (
          <Button variant="subtle" onClick={() => setComment('')}>
            Add a comment
          </Button>
        )}
      </div>
    </div>
  )
}
