'use client'

import { useState, type ComponentType, type KeyboardEvent } from 'react'
import { HiddenInput } from '@/components/ui/hidden-input.tsx'
import { LazyOnDemand } from '@/components/ui/lazy-component.tsx'

/** The props that a lazily loaded form gets besides its own. */
export interface LazyFormProps {
  readonly open: boolean
  /** What was typed before the form had loaded. */
  readonly typed: string
  readonly onClose: () => void
}

interface LazyFormLoaderProps<Props> {
  readonly load: () => Promise<{ readonly default: ComponentType<Props & LazyFormProps> }>
  readonly props: Props
  readonly label: string
  readonly open: boolean
  readonly onClose: () => void
}

/** A form of the editor that is loaded when the page is idle, or when the form is first opened. */
export function LazyForm<Props extends object>({
  load,
  props,
  label,
  open,
  onClose,
}: LazyFormLoaderProps<Props>) {
  const [typed, setTyped] = useState('')
  const close = () => {
    setTyped('')
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) close()
  }
  return (
    <LazyOnDemand
      isWanted={open}
      load={load}
      props={{ ...props, open, typed, onClose: close }}
      onLoadFailed={close}
      fallback={open && <HiddenInput label={label} typed={typed} onTyped={setTyped} onKeyDown={onKeyDown} />}
    />
  )
}
