"""A job's ranks are numbered once and stand on a mesh of parallel axes, the fastest axis innermost.

From a rank's number follow its place on every axis, its groups, and how many nodes each group
spans; from the degrees follow the size of the world and the conditions they must meet. The order
here is tensor, context, pipeline, data, as in Llama 3.
"""
