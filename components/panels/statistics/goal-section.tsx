'use client'

import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { Button } from '@/components/ui/button.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { toast } from '@/components/ui/toast.ts'
import { MAX_GOAL } from './goal.ts'
import { useGoal } from './use-goal.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'
import { statisticsStrings } from '@/lib/strings/statistics.ts'

interface GoalSectionProps {
  readonly opened: OpenDocument
  readonly document: string
  readonly words: number
}

/** Only this person sees it, in all of their windows. */
export function GoalSection({ opened, document, words }: GoalSectionProps) {
  const id = useId()
  const goal = useGoal(opened, document)
  const [editing, setEditing] = useState(false)
  const changeButton = useFocusAfter(editing)
  if (!goal) return null
  const set = (newGoal: number | null) => {
    goal.set(newGoal)
    setEditing(false)
  }
  const remove = () => {
    const { words: before } = goal
    set(null)
    toast(statisticsStrings.goal.removed, {
      action: { label: panelFramesStrings.undo, onClick: () => goal.set(before) },
    })
  }
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2.5 text-sm">
      <h3 id={id} className="font-semibold">
        {statisticsStrings.goal.title}
      </h3>
      {editing ? (
        <GoalForm goal={goal.words} onDone={set} onCancel={() => setEditing(false)} />
      ) : (
        <>
          {goal.words === null ? (
            <p className="text-muted">{statisticsStrings.goal.none}</p>
          ) : (
            <GoalProgress words={words} goal={goal.words} />
          )}
          <div className="flex gap-2">
            <Button ref={changeButton} shape="small" onClick={() => setEditing(true)}>
              {goal.words === null ? statisticsStrings.goal.set : statisticsStrings.goal.change}
            </Button>
            {goal.words !== null && (
              <Button shape="small" look="quiet" onClick={remove}>
                {statisticsStrings.goal.remove}
              </Button>
            )}
          </div>
        </>
      )}
    </section>
  )
}

/** Returns focus to the button when the form, which had it, closes. */
function useFocusAfter(editing: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(editing)
  useEffect(() => {
    if (wasEditing.current && !editing) button.current?.focus()
    wasEditing.current = editing
  }, [editing])
  return button
}

function GoalProgress({ words, goal }: { words: number; goal: number }) {
  const left = goal - words
  return (
    <>
      <progress
        aria-label={statisticsStrings.goal.progress}
        max={goal}
        value={Math.min(words, goal)}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      />
      <p className="text-muted">
        <Sentence
          parts={statisticsStrings.goal.written(
            <span className="font-medium text-ink tabular-nums">{words.toLocaleString('en')}</span>,
            goal,
          )}
        />{' '}
        {left > 0 ? statisticsStrings.goal.left(left) : statisticsStrings.goal.reached}
      </p>
    </>
  )
}

interface GoalFormProps {
  readonly goal: number | null
  readonly onDone: (words: number) => void
  readonly onCancel: () => void
}

function GoalForm({ goal, onDone, onCancel }: GoalFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onDone(Number(new FormData(event.currentTarget).get('words')))
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <label className="flex flex-col gap-1 text-muted">
        {statisticsStrings.goalForm.words}
        <input
          name="words"
          type="number"
          required
          min={1}
          max={MAX_GOAL}
          step={1}
          defaultValue={goal ?? 500}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for this field
          autoFocus
          onKeyDown={(event) => event.key === 'Escape' && onCancel()}
          className="h-8 w-28 rounded-lg border border-edge bg-paper px-2.5 text-ink"
        />
      </label>
      <Button type="submit" look="primary" shape="small">
        {statisticsStrings.goalForm.set}
      </Button>
      <Button shape="small" look="quiet" onClick={onCancel}>
        {commonStrings.cancel}
      </Button>
    </form>
  )
}
