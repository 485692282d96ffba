'use client'

import { useId, type ComponentProps } from 'react'
import { MAX_DISPLAY_NAME } from '@/lib/protocol/display-name.ts'

interface NameFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly label: string
  readonly value: string
  readonly onChange: (name: string) => void
  /** Why this name cannot be used. */
  readonly problem: string | null
}

export function NameField({ label, value, onChange, problem, className = '', ...input }: NameFieldProps) {
  const id = useId()
  return (
    <div className={`flex min-w-0 flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <input
        {...input}
        id={id}
        value={value}
        autoComplete="name"
        spellCheck={false}
        dir="auto"
        // A letter may take several of these code units; the sentence below says when the name is too long.
        maxLength={4 * MAX_DISPLAY_NAME}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem`}
        onChange={(event) => onChange(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        className="h-9 w-full rounded-lg border border-edge bg-paper px-3 text-base text-ink sm:text-sm"
      />
      <p id={`${id}-problem`} role="alert" className="text-sm text-danger empty:absolute">
        {problem}
      </p>
    </div>
  )
}
