import org.testng.Assert;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class NgTest {
    static class Counter {
        int count;

        void add(int amount) {
            count += amount;
        }

        int get() {
            return count;
        }
    }

    private Counter counter;

    @BeforeMethod
    public void prepare() {
        counter = new Counter();
    }

    @AfterMethod
    public void finish() {
        counter.get();
    }

    @Test
    public void countsOnce() {
        counter.add(1);
        Assert.assertEquals(counter.get(), 1);
    }

    @Test
    public void countsWrong() {
        counter.add(1);
        Assert.assertEquals(counter.get(), 2);
    }

    @DataProvider
    public Object[][] amounts() {
        return new Object[][] {{1}, {2}};
    }

    @Test(dataProvider = "amounts")
    public void addsAny(int amount) {
        counter.add(amount);
        Assert.assertEquals(counter.get(), amount);
    }

    @Test(expectedExceptions = ArithmeticException.class)
    public void divides() {
        counter.add(1 / counter.get());
    }
}
