'use client'

import { useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react'
import { toastNotLoaded } from './toast.ts'

export type LoadComponent<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

interface LazyComponentProps<Props> {
  /** Must be the same function each time. */
  readonly load: LoadComponent<Props>
  /** The props of the loaded component. */
  readonly props: Props
  /** Called before a toast says that the code did not load. */
  readonly onLoadFailed?: () => void
  readonly fallback?: ReactNode
}

const loadedComponents = new WeakMap<object, unknown>()

interface ChunkProps<Props> extends Pick<LazyComponentProps<Props>, 'load' | 'props' | 'fallback'> {
  readonly onFailed: (error: unknown) => void
}

/**
 * The component of a chunk once that has loaded, and a function that requests it, which may be called again after a failure. React's own
 * `lazy` remembers a failure instead.
 */
export function useChunk<Props>(load: LoadComponent<Props>) {
  const [Loaded, setLoaded] = useState(() => loadedComponents.get(load) as ComponentType<Props> | undefined)
  const request = async () => {
    const loaded = await load()
    loadedComponents.set(load, loaded.default)
    setLoaded(() => loaded.default)
  }
  return { Loaded, request }
}

/** Requests its chunk each time it comes on screen, also where that has loaded by now: it may have done so since this was rendered. */
export function Chunk<Props extends object>({ load, props, fallback = null, onFailed }: ChunkProps<Props>) {
  const { Loaded, request } = useChunk(load)
  const requestChunk = useEffectEvent(request)
  const onLoadFailed = useEffectEvent(onFailed)
  useEffect(() => {
    let isWanted = true
    requestChunk().catch((error: unknown) => isWanted && onLoadFailed(error))
    return () => {
      isWanted = false
    }
  }, [load])
  return Loaded ? <Loaded {...props} /> : fallback
}

/** A component in a chunk of its own, which somebody asked for: a toast says that it did not load. */
export function LazyComponent<Props extends object>({ onLoadFailed, ...chunk }: LazyComponentProps<Props>) {
  const onFailed = () => {
    // First: whoever reads the message and types has the focus back.
    onLoadFailed?.()
    toastNotLoaded()
  }
  return <Chunk {...chunk} onFailed={onFailed} />
}

/** One that has its place on the page: the `ErrorBoundary` around it shows that it did not load, and its retry requests the chunk again. */
export function LazyPart<Props extends object>(chunk: Omit<ChunkProps<Props>, 'onFailed'>) {
  const [failure, setFailure] = useState<{ readonly error: unknown }>()
  if (failure) throw failure.error
  return <Chunk {...chunk} onFailed={(error) => setFailure({ error })} />
}

/** A component that is fetched when it is first wanted, and stays. By `loadInBackground` no failure is shown: nobody has asked for it. */
export function LazyOnDemand<Props extends object>({
  isWanted,
  onLoadFailed,
  ...lazy
}: LazyComponentProps<Props> & { readonly isWanted: boolean }) {
  const [isShown, setShown] = useState(isWanted)
  const [wasWanted, setWasWanted] = useState(isWanted)
  if (isWanted !== wasWanted) {
    setWasWanted(isWanted)
    if (isWanted) setShown(true)
  }
  const onFailed = () => {
    setShown(false)
    onLoadFailed?.()
  }
  return isShown && <LazyComponent {...lazy} onLoadFailed={onFailed} />
}

/**
 * The props of a control that opens a lazy component: the chunk is fetched when the pointer or the focus comes near. A failure is not shown,
 * because nobody has asked yet: the chunk is requested once more when it is wanted.
 */
export function preloadWhenNear<Props>(load: LoadComponent<Props>) {
  const preload = () =>
    void load().then(
      (loaded) => loadedComponents.set(load, loaded.default),
      () => undefined,
    )
  return { onPointerEnter: preload, onFocus: preload }
}
