'use client'

import { useMutation } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { queryClient } from '@/components/query-client.ts'
import { Button } from '@/components/ui/button.tsx'
import { adminStrings } from '@/lib/strings/admin.ts'
import { signIn } from './admin-api.ts'

export function SignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [token, setToken] = useState('')
  const { mutate, isPending, error } = useMutation({ mutationFn: signIn, onSuccess: onSignedIn }, queryClient)
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(token)
  }
  return (
    <form onSubmit={submit} aria-labelledby={`${id}-title`} className="flex max-w-sm flex-col gap-3">
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        {adminStrings.signIn.title}
      </h2>
      <label htmlFor={id} className="text-sm font-medium">
        {adminStrings.signIn.label}
      </label>
      <input
        id={id}
        type="password"
        autoComplete="current-password"
        required
        value={token}
        onChange={({ target }) => setToken(target.value)}
        aria-describedby={`${id}-hint`}
        aria-invalid={error !== null}
        className="h-9 rounded-lg border border-edge bg-transparent px-2"
      />
      <p id={`${id}-hint`} className="text-sm text-muted">
        {adminStrings.signIn.hint}
      </p>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error.message}
        </p>
      )}
      <Button type="submit" look="primary" disabled={isPending} className="self-start">
        {isPending ? adminStrings.signIn.busy : adminStrings.signIn.submit}
      </Button>
    </form>
  )
}
