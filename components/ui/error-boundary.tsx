'use client'

import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** Shown instead of what failed. */
  readonly renderError: (error: unknown, retry: () => void) => ReactNode
}

/** Catches errors of its children, so that the page survives. A class, because React has no function component that catches errors. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: unknown }> {
  override state = { error: null as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return this.props.renderError(error, () => this.setState({ error: null }))
  }
}
