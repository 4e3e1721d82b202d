"""A sharding says which dimension of an array is cut along which axis of a mesh of devices.

Devices stand in a mesh whose axes have names, and A[B_X, D] is an array of `B` rows and `D` columns
whose rows are cut along the axis `X`: each device of that axis holds an equal part of the rows, and
devices that differ only along the other axes hold the same. How arrays are cut decides what a product
of two of them must send. There are four cases, told apart by the dimension that the product sums over:
it is cut in neither array, in one of them, in both alike, or not at all while another dimension of each
is cut along one and the same axis. The chapter begins with the bytes of a shard, goes through the four
cases with their bytes, FLOPs and times, and moves an array from one sharding to another, or to more or
fewer devices. Last comes a feed-forward whose weights are cut along two axes and stay where they are.
All of it was counted on matrices of whole numbers that were really cut, moved, multiplied and compared
with the whole product.
"""

SECTIONS = (
    "arrays",
    "products",
    "work",
    "resharding",
    "regrouping",
    "two_axes",
    "two_axes_time",
)
