'use client'

import { useRef, type ReactNode } from 'react'
import { useSizeProperty } from '@/components/ui/use-size-property.ts'

export interface BannerProps {
  readonly role?: 'alert'
  /** Fixed in the window, or within the text. */
  readonly place?: 'fixed' | 'sticky my-3' | undefined
  readonly children: ReactNode
}

/** A card over the foot of the text, which it does not move. Whatever else is fixed there starts above it. */
export function Banner({ role, place = 'fixed', children }: BannerProps) {
  const element = useRef<HTMLDivElement>(null)
  useSizeProperty(element, 'offsetHeight', '--banner-height')
  return (
    <div
      ref={element}
      role={role}
      className={`${place} inset-x-3 bottom-3 z-30 mx-auto flex max-w-xl flex-wrap items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-sm shadow-float`}
      data-screen-only
    >
      {children}
    </div>
  )
}
