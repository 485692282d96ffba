'use client'

import { useState, type ComponentType, type KeyboardEvent } from 'react'
import { HiddenInput } from '@/components/ui/hidden-input.tsx'
import { LazyOnDemand } from '@/components/ui/lazy-component.tsx'

/** The props that a lazily loaded form gets besides its own. */
export interface LazyFormProps {
  readonly open: boolean
  /** What was typed before the form had loaded. */
  readonly typed: string
  /** The form was sent before it had loaded. */
  readonly isSent: boolean
  readonly onClose: () => void
}

interface LazyFormLoaderProps<Props> {
  readonly load: () => Promise<{ readonly default: ComponentType<Props & LazyFormProps> }>
  readonly props: Props
  readonly label: string
  /** Enter begins a line, and sends the form only with Ctrl or Cmd. */
  readonly isMultiline?: boolean
  readonly open: boolean
  readonly onClose: () => void
}

/** A form of the editor that is loaded when it is first opened. */
export function LazyForm<Props extends object>({
  load,
  props,
  label,
  isMultiline = false,
  open,
  onClose,
}: LazyFormLoaderProps<Props>) {
  const [typed, setTyped] = useState('')
  const [isSent, setSent] = useState(false)
  const close = () => {
    setTyped('')
    setSent(false)
    onClose()
  }
  const onKeyDown = ({ key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent) => {
    if (nativeEvent.isComposing) return
    if (key === 'Escape') close()
    if (key === 'Enter' && (!isMultiline || ctrlKey || metaKey)) setSent(true)
  }
  return (
    <LazyOnDemand
      isWanted={open}
      load={load}
      props={{ ...props, open, typed, isSent, onClose: close }}
      onLoadFailed={close}
      fallback={open && <HiddenInput {...{ label, typed, isMultiline, onKeyDown }} onTyped={setTyped} />}
    />
  )
}
