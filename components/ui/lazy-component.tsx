'use client'

import { useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react'
import { toastNotLoaded } from './toast'

type LoadComponent<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

interface LazyComponentProps<Props> {
  /** The same function each time. */
  readonly load: LoadComponent<Props>
  /** For what it loads. */
  readonly props: Props
  /** After it was said that it did not come. */
  readonly onLoadFailed?: () => void
  readonly fallback?: ReactNode
}

const loadedComponents = new WeakMap<object, unknown>()

/**
 * A component that is a chunk of its own, asked for each time this comes on screen until it is there. What React's own `lazy` throws
 * where a chunk does not come would take the page along.
 */
export function LazyComponent<Props extends object>({
  load,
  props,
  onLoadFailed,
  fallback = null,
}: LazyComponentProps<Props>) {
  const [Loaded, setLoaded] = useState(() => loadedComponents.get(load) as ComponentType<Props> | undefined)
  const onFailed = useEffectEvent(() => {
    toastNotLoaded()
    onLoadFailed?.()
  })
  useEffect(() => {
    let isWanted = !loadedComponents.has(load)
    const onLoaded = (loaded: { readonly default: ComponentType<Props> }) => {
      loadedComponents.set(load, loaded.default)
      if (isWanted) setLoaded(() => loaded.default)
    }
    if (isWanted) load().then(onLoaded, () => isWanted && onFailed())
    return () => {
      isWanted = false
    }
  }, [load])
  return Loaded ? <Loaded {...props} /> : fallback
}
