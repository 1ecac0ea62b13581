#include <stdio.h>

int main(void)
{
    puts("sf");
    return 0;
}
