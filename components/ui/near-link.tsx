'use client'

import { useRouter } from 'next/navigation'
import type { ComponentProps, MouseEvent } from 'react'

/**
 * A link whose page is fetched when the pointer or the focus comes near, and not before: most visits do not follow it. Next's own `Link`
 * would be 2 kB of the first script for it.
 */
export function NearLink({ href, ...rest }: ComponentProps<'a'> & { readonly href: string }) {
  const router = useRouter()
  const onNear = () => router.prefetch(href)
  const onClick = (event: MouseEvent) => {
    // The browser itself opens new tabs and windows.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.push(href)
  }
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- its content is among the props
  return <a {...rest} href={href} onClick={onClick} onPointerEnter={onNear} onFocus={onNear} />
}
