'use client'

import { useEffect, useRef, useState } from 'react'

type RequestState =
  { readonly state: 'idle' | 'pending' | 'done' } | { readonly state: 'failed'; readonly error: Error }

/** A request that a person makes, and where the latest one stands, for a button and its message. */
export function useRequest<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const [request, setRequest] = useState<RequestState>({ state: 'idle' })
  const latest = useRef(0)
  useEffect(
    () => () => {
      latest.current++
      // A page that is kept while another one is shown begins anew.
      setRequest({ state: 'idle' })
    },
    [],
  )
  /** Resolves to null if the request failed, if there is a later one, or if the component is gone. */
  const run = async (input: Input): Promise<Answer | null> => {
    const number = ++latest.current
    setRequest({ state: 'pending' })
    const [answer, next] = await send(input).then(
      (answer) => [answer, { state: 'done' }] as const,
      (error: Error) => [null, { state: 'failed', error }] as const,
    )
    if (number !== latest.current) return null
    setRequest(next)
    return answer
  }
  return { run, state: request.state, error: request.state === 'failed' ? request.error : null }
}
