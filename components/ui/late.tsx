'use client'

import { useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react'
import { sayNotLoaded } from './toast'

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

interface LateProps<Props> {
  /** The same function each time. */
  readonly load: Load<Props>
  /** For what it loads. */
  readonly props: Props
  /** After it was said that it did not come. */
  readonly onMissing?: () => void
  readonly waiting?: ReactNode
}

const known = new WeakMap<object, unknown>()

/**
 * A component that is a chunk of its own, asked for each time this comes on screen until it is there. What React's own `lazy` throws
 * where a chunk does not come would take the page along.
 */
export function Late<Props extends object>({ load, props, onMissing, waiting = null }: LateProps<Props>) {
  const [Loaded, setLoaded] = useState(() => known.get(load) as ComponentType<Props> | undefined)
  const onFailed = useEffectEvent(() => {
    sayNotLoaded()
    onMissing?.()
  })
  useEffect(() => {
    let isWanted = !known.has(load)
    const onLoaded = (loaded: { readonly default: ComponentType<Props> }) => {
      known.set(load, loaded.default)
      if (isWanted) setLoaded(() => loaded.default)
    }
    if (isWanted) load().then(onLoaded, () => isWanted && onFailed())
    return () => {
      isWanted = false
    }
  }, [load])
  return Loaded ? <Loaded {...props} /> : waiting
}
