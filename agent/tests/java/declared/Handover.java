import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Objects handed from a thread to another one and back, thousands of times, in every way the memory model orders. What was
 * killed before a hand-over is never seen after it: one misplaced event would give a pair of those forbidden here.
 */
final class Handover {
    /** Written three times by the thread that makes it, read and answered by the one that gets it, read again at home. */
    abstract static class Cell {
        int value;
        int answer;

        Cell() {
            value = 0; //: at born
        }

        final void stale() {
            value = 1; //: at stale
        }

        final void fresh() {
            value = 2; //: at fresh
        }

        final int read() {
            return value; //: at read
        }

        final void answer() {
            answer = value; //: at answers
            value = 3; //: at answered
        }

        final int readBack() {
            return value; //: at readBack
        }

        final int readAnswer() {
            return answer; //: at readAnswer
        }

        final Cell prepared() {
            stale();
            fresh();
            return this;
        }

        final void met() {
            read();
            answer();
        }

        final void home() {
            if (readBack() != 3 || readAnswer() != 2) {
                throw new AssertionError(getClass().getName());
            }
        }
    }

    //: pair SynchronizedCell.value: fresh -> read
    //: none SynchronizedCell.value: born -> read
    //: none SynchronizedCell.value: stale -> read
    //: none SynchronizedCell.value: answered -> read
    //: pair SynchronizedCell.value: answered -> readBack
    //: none SynchronizedCell.value: fresh -> readBack
    //: none SynchronizedCell.value: stale -> readBack
    //: pair SynchronizedCell.answer: answers -> readAnswer
    static final class SynchronizedCell extends Cell {}

    //: pair VolatileCell.value: fresh -> read
    //: none VolatileCell.value: born -> read
    //: none VolatileCell.value: stale -> read
    //: none VolatileCell.value: answered -> read
    //: pair VolatileCell.value: answered -> readBack
    //: none VolatileCell.value: fresh -> readBack
    //: none VolatileCell.value: stale -> readBack
    //: pair VolatileCell.answer: answers -> readAnswer
    static final class VolatileCell extends Cell {}

    //: pair StaticVolatileCell.value: fresh -> read
    //: none StaticVolatileCell.value: born -> read
    //: none StaticVolatileCell.value: stale -> read
    //: none StaticVolatileCell.value: answered -> read
    //: pair StaticVolatileCell.value: answered -> readBack
    //: none StaticVolatileCell.value: fresh -> readBack
    //: none StaticVolatileCell.value: stale -> readBack
    //: pair StaticVolatileCell.answer: answers -> readAnswer
    static final class StaticVolatileCell extends Cell {}

    //: pair BlockingQueueCell.value: fresh -> read
    //: none BlockingQueueCell.value: born -> read
    //: none BlockingQueueCell.value: stale -> read
    //: none BlockingQueueCell.value: answered -> read
    //: pair BlockingQueueCell.value: answered -> readBack
    //: none BlockingQueueCell.value: fresh -> readBack
    //: none BlockingQueueCell.value: stale -> readBack
    //: pair BlockingQueueCell.answer: answers -> readAnswer
    static final class BlockingQueueCell extends Cell {}

    //: pair SynchronousQueueCell.value: fresh -> read
    //: none SynchronousQueueCell.value: born -> read
    //: none SynchronousQueueCell.value: stale -> read
    //: none SynchronousQueueCell.value: answered -> read
    //: pair SynchronousQueueCell.value: answered -> readBack
    //: none SynchronousQueueCell.value: fresh -> readBack
    //: none SynchronousQueueCell.value: stale -> readBack
    //: pair SynchronousQueueCell.answer: answers -> readAnswer
    static final class SynchronousQueueCell extends Cell {}

    //: pair JoinCell.value: fresh -> read
    //: none JoinCell.value: born -> read
    //: none JoinCell.value: stale -> read
    //: none JoinCell.value: answered -> read
    //: pair JoinCell.value: answered -> readBack
    //: none JoinCell.value: fresh -> readBack
    //: none JoinCell.value: stale -> readBack
    //: pair JoinCell.answer: answers -> readAnswer
    static final class JoinCell extends Cell {}

    //: pair FutureCell.value: fresh -> read
    //: none FutureCell.value: born -> read
    //: none FutureCell.value: stale -> read
    //: none FutureCell.value: answered -> read
    //: pair FutureCell.value: answered -> readBack
    //: none FutureCell.value: fresh -> readBack
    //: none FutureCell.value: stale -> readBack
    //: pair FutureCell.answer: answers -> readAnswer
    static final class FutureCell extends Cell {}

    //: pair InvokeAllCell.value: fresh -> read
    //: none InvokeAllCell.value: born -> read
    //: none InvokeAllCell.value: stale -> read
    //: none InvokeAllCell.value: answered -> read
    //: pair InvokeAllCell.value: answered -> readBack
    //: none InvokeAllCell.value: fresh -> readBack
    //: none InvokeAllCell.value: stale -> readBack
    //: pair InvokeAllCell.answer: answers -> readAnswer
    static final class InvokeAllCell extends Cell {}

    //: pair CompletableCell.value: fresh -> read
    //: none CompletableCell.value: born -> read
    //: none CompletableCell.value: stale -> read
    //: none CompletableCell.value: answered -> read
    //: pair CompletableCell.value: answered -> readBack
    //: none CompletableCell.value: fresh -> readBack
    //: none CompletableCell.value: stale -> readBack
    //: pair CompletableCell.answer: answers -> readAnswer
    static final class CompletableCell extends Cell {}

    //: pair ForkJoinCell.value: fresh -> read
    //: none ForkJoinCell.value: born -> read
    //: none ForkJoinCell.value: stale -> read
    //: none ForkJoinCell.value: answered -> read
    //: pair ForkJoinCell.value: answered -> readBack
    //: none ForkJoinCell.value: fresh -> readBack
    //: none ForkJoinCell.value: stale -> readBack
    //: pair ForkJoinCell.answer: answers -> readAnswer
    static final class ForkJoinCell extends Cell {}

    //: pair ParallelStreamCell.value: fresh -> read
    //: none ParallelStreamCell.value: born -> read
    //: none ParallelStreamCell.value: stale -> read
    //: none ParallelStreamCell.value: answered -> read
    //: pair ParallelStreamCell.value: answered -> readBack
    //: none ParallelStreamCell.value: fresh -> readBack
    //: none ParallelStreamCell.value: stale -> readBack
    //: pair ParallelStreamCell.answer: answers -> readAnswer
    static final class ParallelStreamCell extends Cell {}

    //: pair LatchCell.value: fresh -> read
    //: none LatchCell.value: born -> read
    //: none LatchCell.value: stale -> read
    //: none LatchCell.value: answered -> read
    //: pair LatchCell.value: answered -> readBack
    //: none LatchCell.value: fresh -> readBack
    //: none LatchCell.value: stale -> readBack
    //: pair LatchCell.answer: answers -> readAnswer
    static final class LatchCell extends Cell {}

    //: pair BarrierCell.value: fresh -> read
    //: none BarrierCell.value: born -> read
    //: none BarrierCell.value: stale -> read
    //: none BarrierCell.value: answered -> read
    //: pair BarrierCell.value: answered -> readBack
    //: none BarrierCell.value: fresh -> readBack
    //: none BarrierCell.value: stale -> readBack
    //: pair BarrierCell.answer: answers -> readAnswer
    static final class BarrierCell extends Cell {}

    //: pair ExchangerCell.value: fresh -> read
    //: none ExchangerCell.value: born -> read
    //: none ExchangerCell.value: stale -> read
    //: none ExchangerCell.value: answered -> read
    //: pair ExchangerCell.value: answered -> readBack
    //: none ExchangerCell.value: fresh -> readBack
    //: none ExchangerCell.value: stale -> readBack
    //: pair ExchangerCell.answer: answers -> readAnswer
    static final class ExchangerCell extends Cell {}

    //: pair SemaphoreCell.value: fresh -> read
    //: none SemaphoreCell.value: born -> read
    //: none SemaphoreCell.value: stale -> read
    //: none SemaphoreCell.value: answered -> read
    //: pair SemaphoreCell.value: answered -> readBack
    //: none SemaphoreCell.value: fresh -> readBack
    //: none SemaphoreCell.value: stale -> readBack
    //: pair SemaphoreCell.answer: answers -> readAnswer
    static final class SemaphoreCell extends Cell {}

    //: pair LockCell.value: fresh -> read
    //: none LockCell.value: born -> read
    //: none LockCell.value: stale -> read
    //: none LockCell.value: answered -> read
    //: pair LockCell.value: answered -> readBack
    //: none LockCell.value: fresh -> readBack
    //: none LockCell.value: stale -> readBack
    //: pair LockCell.answer: answers -> readAnswer
    static final class LockCell extends Cell {}

    //: pair AtomicCell.value: fresh -> read
    //: none AtomicCell.value: born -> read
    //: none AtomicCell.value: stale -> read
    //: none AtomicCell.value: answered -> read
    //: pair AtomicCell.value: answered -> readBack
    //: none AtomicCell.value: fresh -> readBack
    //: none AtomicCell.value: stale -> readBack
    //: pair AtomicCell.answer: answers -> readAnswer
    static final class AtomicCell extends Cell {}

    interface Way {
        /** Hands a cell to the other side, which answers, and returns when the answer is there. */
        void over(Cell cell) throws Exception;
    }

    static final int TIMES = Integer.getInteger("times", 300);
    static Cell inHand;

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        run(SynchronizedCell::new, new Monitor());
        run(VolatileCell::new, new Volatile());
        run(StaticVolatileCell::new, new StaticVolatile());
        BlockingQueue<Cell> there = new ArrayBlockingQueue<>(4);
        BlockingQueue<Cell> back = new LinkedBlockingQueue<>();
        run(BlockingQueueCell::new, queues(pool, there, back));
        run(SynchronousQueueCell::new, queues(pool, new SynchronousQueue<>(), new SynchronousQueue<>()));
        run(JoinCell::new, cell -> {
            Thread thread = new Thread(cell::met);
            thread.start();
            thread.join();
        });
        run(FutureCell::new, cell -> pool.submit(cell::met).get());
        run(InvokeAllCell::new, cell -> {
            List<Callable<Object>> calls = new ArrayList<>();
            calls.add(Executors.callable(cell::met));
            calls.add(Executors.callable(() -> new Other().touch()));
            pool.invokeAll(calls);
        });
        run(CompletableCell::new, cell -> CompletableFuture.supplyAsync(() -> cell, pool).thenAcceptAsync(Cell::met).get());
        run(ForkJoinCell::new, cell -> ForkJoinPool.commonPool().invoke(new Task(cell)));
        run(ParallelStreamCell::new, cell -> {
            Cell[] cells = {cell, new JoinCell().prepared(), new JoinCell().prepared()};
            java.util.Arrays.stream(cells).parallel().forEach(Cell::met);
        });
        run(LatchCell::new, cell -> {
            CountDownLatch start = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            pool.execute(() -> {
                await(start);
                inHand.met();
                end.countDown();
            });
            inHand = cell;
            start.countDown();
            end.await();
        });
        run(BarrierCell::new, cell -> {
            CyclicBarrier barrier = new CyclicBarrier(2);
            pool.execute(() -> {
                await(barrier);
                inHand.met();
                await(barrier);
            });
            inHand = cell;
            barrier.await();
            barrier.await();
        });
        run(ExchangerCell::new, cell -> {
            Exchanger<Cell> exchanger = new Exchanger<>();
            pool.execute(() -> {
                try {
                    Cell met = exchanger.exchange(null);
                    met.met();
                    exchanger.exchange(met);
                } catch (InterruptedException error) {
                    throw new AssertionError(error);
                }
            });
            exchanger.exchange(cell);
            exchanger.exchange(null);
        });
        run(SemaphoreCell::new, cell -> {
            Semaphore permit = new Semaphore(0);
            Semaphore done = new Semaphore(0);
            pool.execute(() -> {
                permit.acquireUninterruptibly();
                inHand.met();
                done.release();
            });
            inHand = cell;
            permit.release();
            done.acquire();
        });
        run(LockCell::new, new Locked(pool));
        run(AtomicCell::new, cell -> {
            AtomicReference<Cell> over = new AtomicReference<>();
            AtomicReference<Cell> home = new AtomicReference<>();
            pool.execute(() -> {
                Cell met = over.getAndSet(null);
                while (met == null) {
                    Thread.yield();
                    met = over.getAndSet(null);
                }
                met.met();
                home.lazySet(met);
            });
            over.compareAndSet(null, cell);
            while (home.get() == null) {
                Thread.yield();
            }
        });
        pool.shutdown();
        System.out.println("ok");
    }

    interface Maker {
        Cell make();
    }

    private static void run(Maker maker, Way way) throws Exception {
        for (int i = 0; i < TIMES; i++) {
            Cell cell = maker.make().prepared();
            way.over(cell);
            cell.home();
        }
    }

    private static Way queues(ExecutorService pool, BlockingQueue<Cell> there, BlockingQueue<Cell> back) {
        return cell -> {
            pool.execute(() -> {
                try {
                    Cell met = there.take();
                    met.met();
                    back.put(met);
                } catch (InterruptedException error) {
                    throw new AssertionError(error);
                }
            });
            there.put(cell);
            back.take();
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException error) {
            throw new AssertionError(error);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception error) {
            throw new AssertionError(error);
        }
    }

    static final class Other {
        int state;

        void touch() {
            state++;
        }
    }

    static final class Task extends RecursiveAction {
        private static final long serialVersionUID = 1;
        final transient Cell cell;

        Task(Cell cell) {
            this.cell = cell;
        }

        @Override
        protected void compute() {
            if (cell instanceof ForkJoinCell) {
                Task other = new Task(new JoinCell().prepared());
                other.fork();
                cell.met();
                other.join();
                other.cell.home();
            } else {
                cell.met();
            }
        }
    }

    /** A thread that waits for cells, by the monitor of this object. */
    static final class Monitor implements Way, Runnable {
        Cell waiting;
        boolean answered;

        Monitor() {
            Thread thread = new Thread(this);
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void over(Cell cell) throws InterruptedException {
            synchronized (this) {
                waiting = cell;
                answered = false;
                notifyAll();
                while (!answered) {
                    wait();
                }
            }
        }

        @Override
        public synchronized void run() {
            try {
                while (true) {
                    while (waiting == null) {
                        wait();
                    }
                    waiting.met();
                    waiting = null;
                    answered = true;
                    notifyAll();
                }
            } catch (InterruptedException error) {
                throw new AssertionError(error);
            }
        }
    }

    /** A thread that polls a volatile field. */
    static final class Volatile implements Way, Runnable {
        volatile Cell waiting;

        Volatile() {
            Thread thread = new Thread(this);
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void over(Cell cell) {
            waiting = cell;
            while (waiting != null) {
                Thread.yield();
            }
        }

        @Override
        public void run() {
            while (true) {
                Cell cell = waiting;
                if (cell == null) {
                    Thread.yield();
                } else {
                    cell.met();
                    waiting = null;
                }
            }
        }
    }

    /** A thread that polls a static one. */
    static final class StaticVolatile implements Way, Runnable {
        static volatile Cell waiting;

        StaticVolatile() {
            Thread thread = new Thread(this);
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void over(Cell cell) {
            waiting = cell;
            while (waiting != null) {
                Thread.yield();
            }
        }

        @Override
        public void run() {
            while (true) {
                Cell cell = waiting;
                if (cell == null) {
                    Thread.yield();
                } else {
                    cell.met();
                    waiting = null;
                }
            }
        }
    }

    /** A lock of `java.util.concurrent` with a condition. */
    static final class Locked implements Way {
        final ReentrantLock lock = new ReentrantLock();
        final Condition changed = lock.newCondition();
        final ExecutorService pool;
        Cell waiting;

        Locked(ExecutorService pool) {
            this.pool = pool;
        }

        @Override
        public void over(Cell cell) throws InterruptedException {
            lock.lock();
            try {
                waiting = cell;
                pool.execute(this::meet);
                while (waiting != null) {
                    changed.await();
                }
            } finally {
                lock.unlock();
            }
        }

        private void meet() {
            lock.lock();
            try {
                waiting.met();
                waiting = null;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
