'use client'

import Link from 'next/link'
import { useState, type ComponentProps } from 'react'

/** A link whose page is fetched when the pointer or the focus comes near, and not before: most visits do not follow it. */
export function NearLink(props: ComponentProps<typeof Link>) {
  const [isNear, setNear] = useState(false)
  const onNear = () => setNear(true)
  return <Link {...props} prefetch={isNear} onPointerEnter={onNear} onFocus={onNear} />
}
